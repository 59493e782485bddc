import { withEvents } from '@pulsewire/eventlog';
import type { LabsContext, LabTeam } from '../context/context.ts';
import { refused } from '../model/errors.ts';
import { changeStatus, lockOrder } from './change-status.ts';
import { localDayOfOrder } from './read/local-day.ts';
import type { OrderView } from './read/read-orders.ts';

/** Records that the sample of an on-site collection was taken. Throws AppErrors `order_not_found` and of kind `invalid`. */
export async function completeDraw(context: LabsContext, team: LabTeam, orderId: string): Promise<OrderView> {
  return withEvents(context.database, async (tx, emit) => {
    const order = await lockOrder(tx, team.teamId, orderId);
    if (order.method !== 'on_site_collection') throw refused('not_collected_on_site', 'The sample is not collected on site');
    const collectedOn = await localDayOfOrder(tx, context, order, context.clock.now());
    return changeStatus(tx, emit, context, team, order, { to: 'draw_completed', with: { collectedOn } });
  });
}
