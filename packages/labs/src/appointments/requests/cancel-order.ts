import { and, eq, notInArray } from 'drizzle-orm';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import { run, type Tx } from '@pulsewire/database';
import type { LabsContext, LabTeam } from '../../context/context.ts';
import { labAppointments } from '../../model/appointment-tables.ts';
import { cancelOrderWithoutAppointment } from '../../orders/cancel-order.ts';
import { getOrder, type OrderView } from '../../orders/read/read-orders.ts';
import { lockAppointment } from '../changes/lock-appointment.ts';
import { cancelHere } from './cancel.ts';

/** Cancels the phlebotomist visit of an order, if it has one. The order is locked. */
export async function cancelVisit(tx: Tx, emit: Emit, context: LabsContext, { teamId }: LabTeam, orderId: string): Promise<void> {
  const { appointmentId, orderId: ofOrder, type, status } = labAppointments;
  const mine = and(eq(labAppointments.teamId, teamId), eq(ofOrder, orderId));
  const isVisit = and(mine, eq(type, 'phlebotomy'), notInArray(status, ['cancelled', 'completed']));
  const [visit] = await run(tx.orm.select({ appointmentId }).from(labAppointments).where(isVisit));
  const locked = visit ? await lockAppointment(tx, context, { teamId, ...visit }) : null;
  if (locked !== null) await cancelHere(tx, emit, context, locked, null);
}

/**
 * Cancels an order and its phlebotomist visit. An appointment at a service center stays, because the patient made it with the lab.
 * Throws AppErrors `order_not_found` and `transition_not_allowed`.
 */
export async function cancelOrder(context: LabsContext, team: LabTeam, orderId: string): Promise<OrderView> {
  return withEvents(context.database, async (tx, emit) => {
    await cancelOrderWithoutAppointment(tx, emit, context, team, orderId);
    await cancelVisit(tx, emit, context, team, orderId);
    return getOrder(tx, context, team.teamId, orderId);
  });
}
