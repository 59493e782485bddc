import {
  OrdersPage,
  OrdersQuery,
  Order,
  OrderParams,
  OrderCreatedBody,
  UpdateOrderBody,
  ResendEventsBody,
  ResentBody,
  CenterInfoBody,
  OrderCenterQuery,
  OrderTransactionBody,
  renderDateTime,
  TransactionParams,
} from '@pulsewire/contract';
import { dayMs, AppError } from '@pulsewire/kernel';
import {
  renderOrder,
  listOrders,
  getOrder,
  rescheduleOrder,
  cancelOrder,
  completeDraw,
  resendOrderEvents,
  readCenters,
  readTransaction,
} from '@pulsewire/labs';
import { renderCenters } from '../../../render/labs/areas.ts';
import { defineRoute, ok } from '../../../route/route.ts';
import { dateTimeMs, dayEnd } from '../../../validate/formats.ts';
import { unknownStatuses } from '../../../validate/order-statuses.ts';
import { fieldError } from '../../../validate/validate-request.ts';

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

export const getOrderRoute = defineRoute({
  method: 'GET',
  path: '/v3/order/{order_id}',
  operationId: 'getOrder',
  area: 'lab orders',
  auth: 'key',
  summary: 'Read an order',
  params: OrderParams,
  responses: { 200: { description: 'The order.', schema: Order } },
  failures: [404],
  async handler({ labs, team }, { params }) {
    const order = await getOrder(labs.database, labs, team.teamId, params.order_id);
    return ok(renderOrder(order), { userId: order.order.userId });
  },
});

export const updateOrderRoute = defineRoute({
  method: 'PATCH',
  path: '/v3/order/{order_id}',
  operationId: 'updateOrder',
  area: 'lab orders',
  auth: 'key',
  summary: 'Change the day that a scheduled order waits for',
  params: OrderParams,
  body: UpdateOrderBody,
  responses: { 200: { description: 'The order.', schema: OrderCreatedBody } },
  failures: [400, 404],
  async handler({ labs, team }, { params, body }) {
    const order = await rescheduleOrder(labs, team, params.order_id, body.activate_by);
    const response = { order: renderOrder(order), status: 'success', message: 'The order was updated' };
    return ok(response, { userId: order.order.userId });
  },
});

export const cancelOrderRoute = defineRoute({
  method: 'POST',
  path: '/v3/order/{order_id}/cancel',
  operationId: 'cancelOrder',
  area: 'lab orders',
  auth: 'key',
  summary: 'Cancel an order',
  params: OrderParams,
  responses: { 200: { description: 'The cancelled order.', schema: OrderCreatedBody } },
  failures: [400, 404],
  async handler({ labs, team }, { params }) {
    const order = await cancelOrder(labs, team, params.order_id);
    const response = { order: renderOrder(order), status: 'success', message: 'The order has been cancelled' };
    return ok(response, { userId: order.order.userId });
  },
});

export const completeDrawRoute = defineRoute({
  method: 'PATCH',
  path: '/v3/order/{order_id}/draw_completed',
  operationId: 'completeDraw',
  area: 'lab orders',
  auth: 'key',
  summary: 'Record that the sample of an on-site collection was taken',
  params: OrderParams,
  responses: { 200: { description: 'The order.', schema: OrderCreatedBody } },
  failures: [400, 404],
  async handler({ labs, team }, { params }) {
    const order = await completeDraw(labs, team, params.order_id);
    const response = { order: renderOrder(order), status: 'success', message: 'The sample has already been collected' };
    return ok(response, { userId: order.order.userId });
  },
});

export const resendOrderEventsRoute = defineRoute({
  method: 'POST',
  path: '/v3/order/resend_events',
  operationId: 'resendOrderEvents',
  area: 'lab orders',
  auth: 'key',
  summary: 'Send the events of orders again',
  description: 'Of the orders named, or of those that changed in a window of at most 60 days: the oldest 500.',
  body: ResendEventsBody,
  responses: { 200: { description: 'The orders whose event was sent again.', schema: ResentBody } },
  failures: [400],
  refine: ({ body }) =>
    body.order_ids || body.start_at
      ? []
      : [fieldError(['body', 'order_ids'], 'order_ids or start_at must be given', body.order_ids ?? null)],
  async handler({ labs, team, clock }, { body }) {
    const { order_ids: orderIds = null, start_at: start, end_at: end } = body;
    const from = start ? new Date(dateTimeMs(start)) : null;
    const to = end ? new Date(dateTimeMs(end)) : clock.now();
    return ok({ order_ids: await resendOrderEvents(labs, team, { orderIds, from, to }) });
  },
});

export const listOrderCentersRoute = defineRoute({
  method: 'GET',
  path: '/v3/order/{order_id}/psc/info',
  operationId: 'listOrderServiceCenters',
  area: 'lab orders',
  auth: 'key',
  summary: 'Find the service centers for an order',
  params: OrderParams,
  query: OrderCenterQuery,
  responses: { 200: { description: 'The nearest centers of the lab of the order.', schema: CenterInfoBody } },
  failures: [404],
  async handler({ labs, team }, { params, query }) {
    const { order, secrets } = await getOrder(labs.database, labs, team.teamId, params.order_id);
    const zip = secrets.address?.['zip'];
    if (typeof zip !== 'string')
      throw new AppError({ code: 'order_without_address', kind: 'not_found', message: 'The order has no address yet' });
    const { radius, capabilities = [] } = query;
    const asked = { zipCode: zip.slice(0, 5), labId: order.labId, miles: Number(radius), capabilities };
    const { lab, centers } = await readCenters(labs.database, asked);
    return ok(renderCenters(lab, centers), { userId: order.userId });
  },
});

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
