import { and, eq, isNull } from 'drizzle-orm';
import type { Emit } from '@pulsewire/eventlog';
import { run, type Tx } from '@pulsewire/database';
import type { LabsContext, LabTeam } from '../context/context.ts';
import { labPartnerJobs } from '../model/appointment-tables.ts';
import { changeStatus, lockOrder } from './change-status.ts';

/** Cancels an order, without its appointment. Throws AppErrors `order_not_found` and `transition_not_allowed`. */
export async function cancelOrderAlone(tx: Tx, emit: Emit, context: LabsContext, team: LabTeam, orderId: string): Promise<void> {
  const order = await lockOrder(tx, team.teamId, orderId);
  await changeStatus(tx, emit, context, team, order, { to: 'cancelled' });
  const ofOrder = and(eq(labPartnerJobs.orderId, orderId), isNull(labPartnerJobs.appointmentId));
  await run(tx.orm.delete(labPartnerJobs).where(ofOrder));
}
