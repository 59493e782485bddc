import { UnmatchedResultsPage, UnmatchedResultsQuery } from '@pulsewire/contract';
import { listUnmatchedResults, renderUnmatchedResult } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';
import { dayEnd } from '../../../validate/formats.ts';
import { instantShape, readCursor, uuidShape, writeCursor } from '../../../validate/list-cursor.ts';

export const listUnmatchedResultsRoute = defineRoute({
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
      data: page.map(renderUnmatchedResult),
      next_cursor: results.length > limit && last ? writeCursor(filter, [last.createdAt.toISOString(), last.resultId]) : null,
      total,
    });
  },
});
