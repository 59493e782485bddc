import { AcceptResultBody, Order, UnmatchedResultParams } from '@pulsewire/contract';
import { acceptUnmatchedResult, renderOrder } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';

export const acceptUnmatchedResultRoute = defineRoute({
  method: 'POST',
  path: '/v3/unmatched_result/{raw_result_id}/accept',
  operationId: 'acceptUnmatchedResult',
  area: 'lab results',
  auth: 'key',
  summary: 'Assign a result in review to an order',
  params: UnmatchedResultParams,
  body: AcceptResultBody,
  responses: { 200: { description: 'The order, which now has the results.', schema: Order } },
  failures: [404],
  async handler({ labs, team }, { params, body }) {
    const accepted = { userId: body.user_id, orderId: body.order_id, note: body.note ?? null };
    const order = await acceptUnmatchedResult(labs, team, params.raw_result_id, accepted);
    return ok(renderOrder(order), { userId: order.order.userId });
  },
});
