import { OrderParams, ResultsMetadata } from '@pulsewire/contract';
import { readResults, renderResultsMetadata } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';

export const getResultsMetadataRoute = defineRoute({
  method: 'GET',
  path: '/v3/order/{order_id}/result/metadata',
  operationId: 'getOrderResultsMetadata',
  area: 'lab results',
  auth: 'key',
  summary: 'Read the metadata of the results of an order',
  params: OrderParams,
  responses: { 200: { description: 'Patient, laboratory, days and status of the results.', schema: ResultsMetadata } },
  failures: [404],
  async handler({ labs, team }, { params }) {
    const { results, userId } = await readResults(labs.database, labs, team.teamId, params.order_id);
    return ok(renderResultsMetadata(results), { userId });
  },
});
