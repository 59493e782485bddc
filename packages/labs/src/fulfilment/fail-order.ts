import type { Emit } from '@pulsewire/eventlog';
import type { Tx } from '@pulsewire/database';
import type { LabsContext } from '../context/context.ts';
import type { PartnerJob } from '../jobs/job.ts';
import { changeStatus, lockOrder, progressOf } from '../orders/change-status.ts';
import { isAllowed } from '../orders/statuses/status.ts';
import { endCancelled } from './end-cancelled.ts';
import { readOrderSubject } from './subject.ts';

/** Cancels an order that its lab or shipping company refused, if its status still allows it. */
export async function failOrder(tx: Tx, emit: Emit, context: LabsContext, job: PartnerJob): Promise<void> {
  const subject = await readOrderSubject(context, job);
  if (subject === null || subject === 'held') return;
  const order = await lockOrder(tx, job.teamId, subject.view.order.orderId);
  if (!isAllowed(progressOf(order), 'cancelled')) return;
  await changeStatus(tx, emit, context, subject.team, order, { to: 'cancelled', detail: 'fulfillment_error' });
  await endCancelled(tx, emit, context, subject.team, order.orderId);
}
