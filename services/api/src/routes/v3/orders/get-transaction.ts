import { OrderTransactionBody, renderDateTime, TransactionParams } from '@pulsewire/contract';
import { readTransaction } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';

export const getOrderTransactionRoute = defineRoute({
  method: 'GET',
  path: '/v3/order_transaction/{transaction_id}',
  operationId: 'getOrderTransaction',
  area: 'lab orders',
  auth: 'key',
  summary: 'Read an order with its replacements',
  params: TransactionParams,
  responses: { 200: { description: 'The transaction, its orders oldest first.', schema: OrderTransactionBody } },
  failures: [404],
  async handler({ labs, team }, { params }) {
    const { transactionId, userId, status, orders } = await readTransaction(labs.database, team.teamId, params.transaction_id);
    const body = {
      id: transactionId,
      team_id: team.teamId,
      status,
      orders: orders.map((order) => ({
        id: order.orderId,
        origin: order.origin,
        parent_id: order.parentId,
        last_status: order.lowLevelStatus,
        last_status_created_at: renderDateTime(order.statusAt.getTime()),
        updated_at: renderDateTime(order.updatedAt.getTime()),
        created_at: renderDateTime(order.createdAt.getTime()),
      })),
    };
    return ok(body, userId === null ? {} : { userId });
  },
});
