import type { Emit } from '@pulsewire/eventlog';
import type { Tx } from '@pulsewire/database';
import { cancelVisit } from '../appointments/requests/cancel-order.ts';
import type { LabsContext, LabTeam } from '../context/context.ts';
import { putWithdrawals, readOrderCalls } from '../orders/withdraw-order.ts';

/**
 * Ends what other partners do for an order that one of them has cancelled: the visit, the order at the lab, the kit. Pending calls end by
 * themselves, because the order is cancelled; one of them may be in progress.
 */
export async function endCancelled(tx: Tx, emit: Emit, context: LabsContext, team: LabTeam, orderId: string): Promise<void> {
  await cancelVisit(tx, emit, context, team, orderId);
  await putWithdrawals(tx, context, team, orderId, await readOrderCalls(tx, team, orderId));
}
