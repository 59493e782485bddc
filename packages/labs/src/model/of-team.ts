import { and, eq, type SQL } from 'drizzle-orm';
import { labAppointments } from './appointment-tables.ts';
import { labOrders } from './order-tables.ts';

// Conditions on one row by its id and its team, so that a mistaken id never reaches another team's row.

export function isOrder({ teamId, orderId }: { readonly teamId: string; readonly orderId: string }): SQL | undefined {
  return and(eq(labOrders.orderId, orderId), eq(labOrders.teamId, teamId));
}

export function isAppointment({ teamId, appointmentId }: { readonly teamId: string; readonly appointmentId: string }): SQL | undefined {
  return and(eq(labAppointments.appointmentId, appointmentId), eq(labAppointments.teamId, teamId));
}
