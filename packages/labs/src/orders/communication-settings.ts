import { and, isNotNull } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { notFound } from '../model/errors.ts';
import { isOrder } from '../model/of-team.ts';
import { labOrders } from '../model/order-tables.ts';

/** Sets whether the patient gets text messages about an order. Returns the user of the order. Throws AppError `order_not_found`. */
export async function putCommunicationSettings(
  { orm }: Executor,
  teamId: string,
  orderId: string,
  settings: { readonly smsEnabled: boolean },
): Promise<string> {
  const mine = and(isOrder({ teamId, orderId }), isNotNull(labOrders.userId));
  const [row] = await run(orm.update(labOrders).set(settings).where(mine).returning({ userId: labOrders.userId }));
  if (!row || row.userId === null) throw notFound('order_not_found', 'Order not found');
  return row.userId;
}
