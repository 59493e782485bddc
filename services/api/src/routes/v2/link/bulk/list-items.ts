import { BulkItemsBody, BulkItemsQuery, BulkOperationParams } from '@pulsewire/contract';
import { getOperation, listItems } from '@pulsewire/connections';
import { defineRoute, ok } from '../../../../route/route.ts';
import { numberShape, readCursor, writeCursor } from '../../../../validate/list-cursor.ts';

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
