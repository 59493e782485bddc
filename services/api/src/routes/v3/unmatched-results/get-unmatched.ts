import { UnmatchedResult, UnmatchedResultParams } from '@pulsewire/contract';
import { getUnmatchedResult, renderUnmatchedResult } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';

export const getUnmatchedResultRoute = defineRoute({
  method: 'GET',
  path: '/v3/unmatched_result/{raw_result_id}',
  operationId: 'getUnmatchedResult',
  area: 'lab results',
  auth: 'key',
  summary: 'Read a result that matches no order with certainty',
  params: UnmatchedResultParams,
  responses: { 200: { description: 'The result, with the orders that it may belong to.', schema: UnmatchedResult } },
  failures: [404],
  async handler({ labs, team }, { params }) {
    return ok(renderUnmatchedResult(await getUnmatchedResult(labs, team.teamId, params.raw_result_id)));
  },
});
