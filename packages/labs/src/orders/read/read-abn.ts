import type { Executor } from '@pulsewire/database';
import type { LabsContext } from '../../context/context.ts';
import { notFound } from '../../model/errors.ts';
import { readOrderFiles, type OrderFile } from '../files/order-files.ts';
import { getOrder } from './read-orders.ts';

/** The lab's advance beneficiary notice for an order. Throws AppErrors `order_not_found`, and `abn_not_found` when the lab sent none. */
export async function readAbn(
  executor: Executor,
  context: Pick<LabsContext, 'cipher'>,
  teamId: string,
  orderId: string,
): Promise<{ readonly userId: string; readonly file: OrderFile }> {
  const { order } = await getOrder(executor, context, teamId, orderId);
  const [file] = await readOrderFiles(executor, context, orderId, ['abn']);
  if (!file) throw notFound('abn_not_found', 'The order has no advance beneficiary notice');
  return { userId: order.userId, file };
}
