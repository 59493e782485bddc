import {
  UnmatchedResultsPage,
  UnmatchedResultsQuery,
  UnmatchedResult,
  UnmatchedResultParams,
  AcceptResultBody,
  Order,
  ResolveResultBody,
} from '@pulsewire/contract';
import {
  listUnmatchedResults,
  renderUnmatchedResult,
  getUnmatchedResult,
  acceptUnmatchedResult,
  renderOrder,
  resolveUnmatchedResult,
} from '@pulsewire/labs';
import { defineRoute, ok, type Route } from '../../route/route.ts';
import { dayEnd } from '../../validate/formats.ts';
import { instantShape, readCursor, uuidShape, writeCursor } from '../../validate/list-cursor.ts';

const listUnmatchedResultsRoute = defineRoute({
  method: 'GET',
  path: '/v3/unmatched_result',
  operationId: 'listUnmatchedResults',
  area: 'lab results',
  auth: 'key',
  summary: 'List results that match no order with certainty',
  description: 'Oldest first.',
  exports: true,
  query: UnmatchedResultsQuery,
  responses: { 200: { description: 'A page of results, including resolved ones.', schema: UnmatchedResultsPage } },
  async handler({ labs, team }, { query }) {
    const { limit, next_cursor: cursor, ...asked } = query;
    const filter = { list: 'unmatched_results', teamId: team.teamId, asked };
    const place = readCursor(cursor, { filter, shape: [instantShape, uuidShape], loc: ['query', 'next_cursor'] });
    const [at = '', resultId = ''] = place ?? [];
    const { created_at_start: from, created_at_end: to } = asked;
    const { results, total } = await listUnmatchedResults(
      labs,
      team.teamId,
      {
        decisionCode: asked.decision_code,
        labSlug: asked.lab_slug,
        status: asked.status,
        from: from === undefined ? undefined : new Date(from),
        to: to === undefined ? undefined : dayEnd(Date.parse(to)),
        search: asked.search_input,
      },
      { after: place && { at: new Date(at), resultId }, limit: limit + 1 },
    );
    const page = results.slice(0, limit);
    const last = page.at(-1)?.row;
    return ok({
      data: page.map((result) => renderUnmatchedResult(result, labs.clock.now())),
      next_cursor: results.length > limit && last ? writeCursor(filter, [last.createdAt.toISOString(), last.resultId]) : null,
      total,
    });
  },
});

const getUnmatchedResultRoute = defineRoute({
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
    return ok(renderUnmatchedResult(await getUnmatchedResult(labs, team.teamId, params.raw_result_id), labs.clock.now()));
  },
});

const acceptUnmatchedResultRoute = defineRoute({
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

const resolveUnmatchedResultRoute = defineRoute({
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
    return ok(renderUnmatchedResult(await getUnmatchedResult(labs, team.teamId, resultId), labs.clock.now()));
  },
});

export const unmatchedRoutes: readonly Route[] = [
  listUnmatchedResultsRoute,
  getUnmatchedResultRoute,
  acceptUnmatchedResultRoute,
  resolveUnmatchedResultRoute,
];
