import { OrderCreatedBody, OrderParams } from '@pulsewire/contract';
import { cancelOrder, renderOrder } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';

export const cancelOrderRoute = defineRoute({
  method: 'POST',
  path: '/v3/order/{order_id}/cancel',
  operationId: 'cancelOrder',
  area: 'lab orders',
  auth: 'key',
  summary: 'Cancel an order',
  params: OrderParams,
  responses: { 200: { description: 'The cancelled order.', schema: OrderCreatedBody } },
  failures: [400, 404],
  async handler({ labs, team }, { params }) {
    const order = await cancelOrder(labs, team, params.order_id);
    const response = { order: renderOrder(order), status: 'success', message: 'The order has been cancelled' };
    return ok(response, { userId: order.order.userId });
  },
});
