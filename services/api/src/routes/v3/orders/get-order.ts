import { Order, OrderParams } from '@pulsewire/contract';
import { getOrder, renderOrder } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';

export const getOrderRoute = defineRoute({
  method: 'GET',
  path: '/v3/order/{order_id}',
  operationId: 'getOrder',
  area: 'lab orders',
  auth: 'key',
  summary: 'Read an order',
  params: OrderParams,
  responses: { 200: { description: 'The order.', schema: Order } },
  failures: [404],
  async handler({ labs, team }, { params }) {
    const order = await getOrder(labs.database, labs, team.teamId, params.order_id);
    return ok(renderOrder(order), { userId: order.order.userId });
  },
});
