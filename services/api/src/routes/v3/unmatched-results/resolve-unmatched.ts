import { ResolveResultBody, UnmatchedResult, UnmatchedResultParams } from '@pulsewire/contract';
import { getUnmatchedResult, renderUnmatchedResult, resolveUnmatchedResult } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';

export const resolveUnmatchedResultRoute = defineRoute({
  method: 'POST',
  path: '/v3/unmatched_result/{raw_result_id}/resolve',
  operationId: 'resolveUnmatchedResult',
  area: 'lab results',
  auth: 'key',
  summary: 'Reject a result in review, or leave it to the operator',
  params: UnmatchedResultParams,
  body: ResolveResultBody,
  responses: { 200: { description: 'The result.', schema: UnmatchedResult } },
  failures: [404],
  async handler({ labs, team }, { params, body }) {
    const { raw_result_id: resultId } = params;
    await resolveUnmatchedResult(labs, team, resultId, { action: body.action, note: body.note ?? null });
    return ok(renderUnmatchedResult(await getUnmatchedResult(labs, team.teamId, resultId)));
  },
});
