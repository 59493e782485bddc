import { OrderCreatedBody, OrderParams } from '@pulsewire/contract';
import { completeDraw, renderOrder } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';

export const completeDrawRoute = defineRoute({
  method: 'PATCH',
  path: '/v3/order/{order_id}/draw_completed',
  operationId: 'completeDraw',
  area: 'lab orders',
  auth: 'key',
  summary: 'Record that the sample of an on-site collection was taken',
  params: OrderParams,
  responses: { 200: { description: 'The order.', schema: OrderCreatedBody } },
  failures: [400, 404],
  async handler({ labs, team }, { params }) {
    const order = await completeDraw(labs, team, params.order_id);
    const response = { order: renderOrder(order), status: 'success', message: 'The sample has already been collected' };
    return ok(response, { userId: order.order.userId });
  },
});
