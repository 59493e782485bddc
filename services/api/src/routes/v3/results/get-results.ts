import { OrderParams, ResultsBody } from '@pulsewire/contract';
import { readResults, renderResults } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';

export const getResultsRoute = defineRoute({
  method: 'GET',
  path: '/v3/order/{order_id}/result',
  operationId: 'getOrderResults',
  area: 'lab results',
  auth: 'key',
  summary: 'Read the results of an order',
  description: 'Not found until there are results. Partial ones can be read before the order is completed.',
  params: OrderParams,
  responses: { 200: { description: 'The results.', schema: ResultsBody } },
  failures: [404],
  async handler({ labs, team }, { params }) {
    const { results, samples, transaction, userId } = await readResults(labs.database, labs, team.teamId, params.order_id);
    return ok(renderResults(results, transaction, samples), { userId });
  },
});
