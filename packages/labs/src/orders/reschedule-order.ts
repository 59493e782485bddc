import { utcDay } from '@pulsewire/kernel';
import { and, eq } from 'drizzle-orm';
import { withEvents } from '@pulsewire/eventlog';
import { databaseNow, run } from '@pulsewire/database';
import type { LabsContext, LabTeam } from '../context/context.ts';
import { labPartnerJobs } from '../model/job-tables.ts';
import { refused } from '../model/errors.ts';
import { isOrder } from '../model/of-team.ts';
import { labOrders } from '../model/order-tables.ts';
import { lockOrder } from './change-status.ts';
import { getOrder, type OrderView } from './read/read-orders.ts';
import { lowLevel } from './statuses/status.ts';
import type { LowStatus } from '../model/order-status-words.ts';

const changeable: readonly LowStatus[] = ['ordered', 'awaiting_registration'];

/** Changes the day that a scheduled order waits for; null: at once. Throws AppErrors `order_not_found` and of kind `invalid`. */
export async function rescheduleOrder(context: LabsContext, team: LabTeam, orderId: string, activateBy: string | null): Promise<OrderView> {
  const now = context.clock.now();
  if (activateBy !== null && activateBy < utcDay(now)) throw refused('activate_by_in_past', 'activate_by is in the past');
  return withEvents(context.database, async (tx) => {
    const order = await lockOrder(tx, team.teamId, orderId);
    if (!order.wasScheduled) throw refused('order_not_scheduled', 'The order was created without activate_by');
    if (!changeable.includes(lowLevel(order.status)))
      throw refused('order_dispatched', `activate_by can no longer be changed: the order is ${lowLevel(order.status)}`);
    await run(tx.orm.update(labOrders).set({ activateBy, updatedAt: now }).where(isOrder(order)));
    const placing = and(
      eq(labPartnerJobs.teamId, team.teamId),
      eq(labPartnerJobs.orderId, orderId),
      eq(labPartnerJobs.kind, 'place_order'),
    );
    const dueAt = activateBy === null ? databaseNow : new Date(`${activateBy}T00:00:00Z`);
    await run(tx.orm.update(labPartnerJobs).set({ dueAt }).where(placing));
    return getOrder(tx, context, team.teamId, orderId);
  });
}
