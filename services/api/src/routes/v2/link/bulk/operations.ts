import { listOperations, type BulkOperation, getOperation, listItems } from '@pulsewire/connections';
import {
  BulkOperationsBody,
  BulkOperationsQuery,
  renderDateTime,
  BulkItemsBody,
  BulkItemsQuery,
  BulkOperationParams,
} from '@pulsewire/contract';
import { defineRoute, ok } from '../../../../route/route.ts';
import { instantShape, readCursor, uuidShape, writeCursor, numberShape } from '../../../../validate/list-cursor.ts';

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

/** GET /v2/link/bulk_op/{operation_id}/item: our extension, because the list of operations cannot contain the outcome of each recipe. */
export const listItemsRoute = defineRoute({
  method: 'GET',
  path: '/v2/link/bulk_op/{operation_id}/item',
  operationId: 'listBulkOpItems',
  area: 'linking',
  auth: 'key',
  scope: 'bulk',
  summary: 'List the items of a bulk operation and their results',
  description: 'The id of the operation is in the header `x-bulk-operation-id` of the response that started it.',
  params: BulkOperationParams,
  query: BulkItemsQuery,
  responses: { 200: { description: 'A page of items, in the order of the request.', schema: BulkItemsBody } },
  failures: [404],
  async handler(context, { params, query }) {
    const { operationId } = await getOperation(context.database, context.team.teamId, params.operation_id);
    const { page_size: size, outcome = null } = query;
    const filter = { operationId, outcome };
    const place = readCursor(query.next_cursor, { filter, shape: [numberShape], loc: ['query', 'next_cursor'] });
    const found = await listItems(context.database, operationId, { outcome, limit: size + 1, after: place ? Number(place[0]) : -1 });
    const page = found.slice(0, size);
    const last = found.length > size ? page.at(-1) : undefined;
    return ok({
      data: page.map(({ item, userId, outcome: came, reason }) => ({ index: item, user_id: userId, outcome: came, reason })),
      next_cursor: last ? writeCursor(filter, [last.item]) : null,
    });
  },
});
