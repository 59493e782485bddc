import type { Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import type { LabsContext, LabTeam } from '../context/context.ts';
import { putJob } from '../jobs/job-queue.ts';
import type { OrderRow } from '../orders/read/read-orders.ts';
import { advanceParcel } from './apply-shipment.ts';

/**
 * Continues with the test kit of a locked order whose requisition was just created, by the lab's response or by its webhook, whichever is
 * first: a kit that its patient registered follows its parcel, and any other is sent now. Other orders need nothing.
 */
export async function continueKit(
  tx: Tx,
  emit: Emit,
  context: LabsContext,
  team: LabTeam,
  { teamId, orderId, method, isRegistrable }: OrderRow,
  lab: string,
): Promise<void> {
  if (method !== 'testkit') return;
  if (isRegistrable) return advanceParcel(tx, emit, context, team, orderId);
  await putJob(tx, { teamId, partner: lab, kind: 'ship_kit', orderId, idempotencyKey: orderId }, context.clock.now());
}
