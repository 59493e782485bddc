import { and, eq } from 'drizzle-orm';
import { errorCode } from '@pulsewire/kernel';
import { run, type Tx } from '@pulsewire/database';
import type { LabsContext, LabTeam, LabUser } from '../../context/context.ts';
import { labAppointments } from '../../model/appointment-tables.ts';
import { isAppointment, isOrder } from '../../model/of-team.ts';
import { labOrders } from '../../model/order-tables.ts';
import type { OrderRow } from '../../orders/read/read-orders.ts';
import { openAppointment, type AppointmentDetails, type AppointmentRow } from '../model/appointment.ts';

/** An appointment and its order, with both rows locked. */
export interface LockedAppointment {
  readonly row: AppointmentRow;
  readonly details: AppointmentDetails;
  readonly order: OrderRow & { readonly userId: string };
  readonly team: LabTeam;
  /** Null while the deletion of the user can be undone; until then no event is emitted and the order is not changed. */
  readonly user: LabUser | null;
}

async function liveUser(tx: Tx, { owners }: LabsContext, teamId: string, userId: string): Promise<LabUser | null> {
  try {
    const { clientUserId } = await owners.findUser(tx, teamId, userId);
    return { userId, clientUserId };
  } catch (error) {
    if (errorCode(error) === 'user_deleted') return null;
    throw error;
  }
}

/** Null when it was erased with its user or team. */
export async function lockAppointment(
  tx: Tx,
  context: LabsContext,
  { teamId, appointmentId }: { readonly teamId: string; readonly appointmentId: string | null },
): Promise<LockedAppointment | null> {
  if (appointmentId === null) return null;
  const { orm } = tx;
  const byId = isAppointment({ teamId, appointmentId });
  const [known] = await run(orm.select({ orderId: labAppointments.orderId }).from(labAppointments).where(byId));
  if (!known) return null;
  const [order] = await run(
    orm
      .select()
      .from(labOrders)
      .where(isOrder({ teamId, orderId: known.orderId }))
      .for('update'),
  );
  if (!order || order.userId === null) return null;
  const [row] = await run(
    orm
      .select()
      .from(labAppointments)
      .where(and(byId, eq(labAppointments.orderId, order.orderId)))
      .for('update'),
  );
  const team = await context.owners.findTeam(tx, order.teamId);
  if (!row || !team) return null;
  const user = await liveUser(tx, context, order.teamId, order.userId);
  return { row, details: openAppointment(context.cipher, row), order: { ...order, userId: order.userId }, team, user };
}
