import { BulkOperationsBody, BulkOperationsQuery, renderDateTime } from '@pulsewire/contract';
import { listOperations, type BulkOperation } from '@pulsewire/connections';
import { defineRoute, ok } from '../../../../route/route.ts';
import { instantShape, readCursor, uuidShape, writeCursor } from '../../../../validate/list-cursor.ts';

function render(operation: BulkOperation) {
  return {
    type: operation.type,
    status: operation.status,
    provider: operation.provider,
    pending: operation.total - operation.processed,
    processed: operation.processed,
    started_at: renderDateTime(operation.startedAt.getTime()),
    ended_at: operation.endedAt && renderDateTime(operation.endedAt.getTime()),
  };
}

/** GET /v2/link/bulk_op. Allowed also when bulk operations were disabled meanwhile. */
export const listOperationsRoute = defineRoute({
  method: 'GET',
  path: '/v2/link/bulk_op',
  operationId: 'listBulkOps',
  area: 'linking',
  auth: 'key',
  scope: 'bulk',
  summary: 'List bulk operations, newest first',
  query: BulkOperationsQuery,
  responses: { 200: { description: 'A page of operations.', schema: BulkOperationsBody } },
  async handler(context, { query }) {
    const { page_size: size, next_cursor: cursor } = query;
    const filter = { list: 'bulk_op', teamId: context.team.teamId };
    const place = readCursor(cursor, { filter, shape: [instantShape, uuidShape], loc: ['query', 'next_cursor'] });
    const after = place && { startedAt: new Date(place[0] as string), operationId: place[1] as string };
    if (size === 0) return ok({ data: [], next_cursor: null });
    const found = await listOperations(context.database, { teamId: context.team.teamId, limit: size + 1, after });
    const page = found.slice(0, size);
    const last = found.length > size ? page.at(-1) : undefined;
    return ok({ data: page.map(render), next_cursor: last ? writeCursor(filter, [last.startedAt.toISOString(), last.operationId]) : null });
  },
});
