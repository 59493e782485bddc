import { and, eq } from 'drizzle-orm';
import type { Emit } from '@pulsewire/eventlog';
import { run, type Tx } from '@pulsewire/database';
import type { LabsContext, LabTeam } from '../context/context.ts';
import { labPartnerJobs } from '../model/job-tables.ts';
import { isAmong } from '../model/is-among.ts';
import { changeStatus, lockOrder } from './change-status.ts';
import { putWithdrawals, readOrderCalls } from './withdraw-order.ts';

/**
 * Cancels an order, without its appointment, and enqueues its removal at the lab and the shipping company that may have it. Throws
 * AppErrors `order_not_found` and `transition_not_allowed`.
 */
export async function cancelOrderWithoutAppointment(
  tx: Tx,
  emit: Emit,
  context: LabsContext,
  team: LabTeam,
  orderId: string,
): Promise<void> {
  const order = await lockOrder(tx, team.teamId, orderId);
  await changeStatus(tx, emit, context, team, order, { to: 'cancelled' });
  const calls = await readOrderCalls(tx, team, orderId);
  const ids = calls.map(({ jobId }) => jobId);
  const mine = and(eq(labPartnerJobs.teamId, team.teamId), isAmong(labPartnerJobs.jobId, ids));
  if (ids.length > 0) await run(tx.orm.delete(labPartnerJobs).where(mine));
  await putWithdrawals(tx, context, team, orderId, calls);
}
