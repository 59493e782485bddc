import type { Tx } from '@pulsewire/database';
import { completeRequest, renderOrder, type LabsContext, type OrderView, type RequestClaim } from '@pulsewire/labs';
import type { RouteResponse } from '../../../route/route.ts';

/** The response to a request that created an order, stored for repeats in the transaction of the order. */
export async function completeWith(
  tx: Tx,
  labs: LabsContext,
  claim: RequestClaim | null,
  order: OrderView,
  message: string,
): Promise<RouteResponse> {
  const response = { order: renderOrder(order), status: 'success', message };
  const { userId, orderId } = order.order;
  if (claim !== null) await completeRequest(tx, labs, claim, { status: 200, body: JSON.stringify(response), userId });
  return { status: 200, body: response, concerns: { userId, target: { order_id: orderId } } };
}
