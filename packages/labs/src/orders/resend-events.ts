import { and, asc, eq, gte, isNotNull, lte, sql } from 'drizzle-orm';
import { withEvents } from '@pulsewire/eventlog';
import { run } from '@pulsewire/database';
import type { LabsContext, LabTeam } from '../context/context.ts';
import { isAmong } from '../model/is-among.ts';
import { refused } from '../model/errors.ts';
import { labOrders } from '../model/order-tables.ts';
import { emitOrder } from './emit-order.ts';

const windowMaxMs = 60 * 86_400_000;
const ordersMax = 500;

/**
 * Emits `labtest.order.updated` again for the named orders, or those changed in the window: the oldest 500. Unknown ids are ignored.
 * Returns the emitted orders. Throws AppError `window_too_long`.
 */
export async function resendOrderEvents(
  context: LabsContext,
  team: LabTeam,
  requested: { readonly orderIds: readonly string[] | null; readonly from: Date | null; readonly to: Date },
): Promise<readonly string[]> {
  const { orderIds, from, to } = requested;
  if (from !== null && to.getTime() - from.getTime() > windowMaxMs) throw refused('window_too_long', 'The window must not exceed 60 days');
  const { database } = context;
  const where = and(
    eq(labOrders.teamId, team.teamId),
    isNotNull(labOrders.userId),
    sql`NOT ${labOrders.isHidden}`,
    orderIds === null ? undefined : isAmong(labOrders.orderId, orderIds),
    from === null ? undefined : gte(labOrders.updatedAt, from),
    from === null ? undefined : lte(labOrders.updatedAt, to),
  );
  const { orderId, userId } = labOrders;
  const rows = await run(
    database.orm.select({ orderId, userId }).from(labOrders).where(where).orderBy(asc(labOrders.updatedAt), asc(orderId)).limit(ordersMax),
  );
  const sent: string[] = [];
  for (const row of rows) {
    if (row.userId === null) continue;
    const owner = row.userId;
    await withEvents(database, async (tx, emit) => {
      const user = await context.owners.findUser(tx, team.teamId, owner);
      const { clientUserId } = user;
      await emitOrder(tx, emit, context, {
        teamId: team.teamId,
        orderId: row.orderId,
        user: { userId: owner, clientUserId },
        isNew: false,
      });
    });
    sent.push(row.orderId);
  }
  return sent;
}
