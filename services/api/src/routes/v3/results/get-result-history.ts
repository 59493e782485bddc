import { OrderParams, ResultHistoryBody } from '@pulsewire/contract';
import { readResults, renderResultHistory } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';

export const getResultHistoryRoute = defineRoute({
  method: 'GET',
  path: '/v3/order/{order_id}/result/history',
  operationId: 'getOrderResultHistory',
  area: 'lab results',
  auth: 'key',
  summary: 'Read the replaced results of an order',
  description: 'Values that corrections and later reports have replaced. Not found until there are results.',
  params: OrderParams,
  responses: { 200: { description: 'The replaced values.', schema: ResultHistoryBody } },
  failures: [404],
  async handler({ labs, team }, { params }) {
    const { results, userId } = await readResults(labs.database, labs, team.teamId, params.order_id);
    return ok(renderResultHistory(results), { userId });
  },
});
