import { OrderCreatedBody, OrderParams, UpdateOrderBody } from '@pulsewire/contract';
import { renderOrder, rescheduleOrder } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';

export const updateOrderRoute = defineRoute({
  method: 'PATCH',
  path: '/v3/order/{order_id}',
  operationId: 'updateOrder',
  area: 'lab orders',
  auth: 'key',
  summary: 'Change the day that a scheduled order waits for',
  params: OrderParams,
  body: UpdateOrderBody,
  responses: { 200: { description: 'The order.', schema: OrderCreatedBody } },
  failures: [400, 404],
  async handler({ labs, team }, { params, body }) {
    const order = await rescheduleOrder(labs, team, params.order_id, body.activate_by);
    const response = { order: renderOrder(order), status: 'success', message: 'The order was updated' };
    return ok(response, { userId: order.order.userId });
  },
});
