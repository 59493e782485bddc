import { dayMs } from '@pulsewire/kernel';
import { OrdersPage, OrdersQuery } from '@pulsewire/contract';
import { listOrders, renderOrder } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';
import { dateTimeMs, dayEnd } from '../../../validate/formats.ts';
import { unknownStatuses } from '../../../validate/order-statuses.ts';

const instantOf = (text: string) => dateTimeMs(text.length === 10 ? `${text}T00:00:00Z` : text);
const startOf = (text: string | undefined) => (text === undefined ? undefined : new Date(Math.floor(instantOf(text) / dayMs) * dayMs));
const endOf = (text: string | undefined) => (text === undefined ? undefined : dayEnd(instantOf(text)));

export const listOrdersRoute = defineRoute({
  method: 'GET',
  path: '/v3/orders',
  operationId: 'listOrders',
  area: 'lab orders',
  auth: 'key',
  summary: 'List orders',
  description:
    'Newest first. Names are searched by the beginnings of their words, of two letters or more. Days are those of UTC, first and last included.',
  exports: true,
  query: OrdersQuery,
  responses: { 200: { description: 'A page of orders.', schema: OrdersPage } },
  failures: [400, 404],
  refine: ({ query }) => unknownStatuses(query.status),
  async handler({ labs, team }, { query }) {
    if (query.user_id !== undefined) await labs.owners.findUser(labs.database, team.teamId, query.user_id);
    const filter = {
      search: query.search_input,
      from: startOf(query.start_date),
      to: endOf(query.end_date),
      updatedFrom: startOf(query.updated_start_date),
      updatedTo: endOf(query.updated_end_date),
      statuses: query.status,
      methods: query.order_type,
      isCritical: query.is_critical,
      interpretation: query.interpretation,
      activation: query.order_activation_types,
      userId: query.user_id,
      patientName: query.patient_name,
      recipientName: query.shipping_recipient_name,
      orderIds: query.order_ids,
      transactionId: query.order_transaction_id,
      orderKey: query.order_key,
      direction: query.order_direction,
    };
    const { page, size } = query;
    const { orders, total } = await listOrders(labs, team.teamId, filter, { page, size });
    return ok({ orders: orders.map(renderOrder), total, page, size }, query.user_id === undefined ? {} : { userId: query.user_id });
  },
});
