import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { findLabTests, type LabTest } from '../../catalogue/lab-tests.ts';
import type { LabsContext } from '../../context/context.ts';
import { labAppointments } from '../../model/appointment-tables.ts';
import { isAmong } from '../../model/is-among.ts';
import { notFound } from '../../model/errors.ts';
import { labOrderDetails, labOrderEvents, labOrders } from '../../model/order-tables.ts';
import { openOrder, type OrderSecrets } from '../sealed/order-secrets.ts';
import { readShipments, type Shipment } from '../files/shipments.ts';
import { findTransactions, type Transaction } from './transactions.ts';
import type { OrderStatus } from '../../model/order-status-words.ts';

export type OrderRow = typeof labOrders.$inferSelect;

export interface OrderEvent {
  readonly eventId: number;
  readonly status: OrderStatus;
  readonly statusDetail: string | null;
  readonly createdAt: Date;
}

/** An order with all fields of a response. */
export interface OrderView {
  readonly order: OrderRow & { readonly userId: string };
  readonly secrets: OrderSecrets;
  /** Oldest first. */
  readonly events: readonly OrderEvent[];
  readonly test: LabTest;
  readonly transaction: Transaction;
  readonly appointmentId: string | null;
  readonly shipment: Shipment | null;
}

// As JSON with their order: a page has hundreds of events, and each row of a result costs more to read than all of an order's events.
const { eventId, status, statusDetail, createdAt } = labOrderEvents;
type EventValues = readonly [eventId: number, status: OrderStatus, statusDetail: string | null, createdAt: string];
const eventsOfOrder = sql<readonly EventValues[] | null>`(
  SELECT json_agg(json_build_array(${eventId}, ${status}, ${statusDetail}, ${createdAt}) ORDER BY ${eventId})
  FROM ${labOrderEvents} WHERE ${labOrderEvents.orderId} = ${labOrders.orderId})`;

const latestAppointmentOfOrder = sql<string | null>`(
  SELECT ${labAppointments.appointmentId} FROM ${labAppointments}
  WHERE ${labAppointments.teamId} = ${labOrders.teamId} AND ${labAppointments.orderId} = ${labOrders.orderId}
  ORDER BY ${labAppointments.createdAt} DESC LIMIT 1)`;

const eventOf = ([id, reached, detail, at]: EventValues): OrderEvent => ({
  eventId: id,
  status: reached,
  statusDetail: detail,
  createdAt: new Date(at),
});

/** The orders with these ids, in this order; those of other teams and of erased users are omitted. */
export async function readOrders(
  executor: Executor,
  context: Pick<LabsContext, 'cipher'>,
  teamId: string,
  orderIds: readonly string[],
): Promise<readonly OrderView[]> {
  if (orderIds.length === 0) return [];
  const { orm } = executor;
  const mine = and(eq(labOrders.teamId, teamId), isNotNull(labOrders.userId), isAmong(labOrders.orderId, orderIds));
  const rows = await run(
    orm
      .select({ order: labOrders, details: labOrderDetails.details, events: eventsOfOrder, appointmentId: latestAppointmentOfOrder })
      .from(labOrders)
      .innerJoin(labOrderDetails, eq(labOrderDetails.orderId, labOrders.orderId))
      .where(mine),
  );
  const kits = rows.flatMap(({ order }) => (order.method === 'testkit' ? [order.orderId] : []));
  const [shipments, found, transactions] = await Promise.all([
    readShipments(executor, context, teamId, kits),
    findLabTests(executor, teamId, [...new Set(rows.map(({ order }) => order.labTestId))]),
    findTransactions(executor, teamId, [...new Set(rows.map(({ order }) => order.transactionId))]),
  ]);
  const tests = new Map(found.map((test) => [test.labTestId, test]));
  const byId = new Map(rows.map((row) => [row.order.orderId, row]));
  return orderIds.flatMap((id) => {
    const row = byId.get(id);
    const test = row && tests.get(row.order.labTestId);
    const transaction = row && transactions.get(row.order.transactionId);
    if (!row || !test || !transaction || row.order.userId === null) return [];
    return {
      order: { ...row.order, userId: row.order.userId },
      secrets: openOrder(context.cipher, id, row.details),
      events: (row.events ?? []).map(eventOf),
      test,
      transaction,
      appointmentId: row.appointmentId,
      shipment: shipments.get(id) ?? null,
    };
  });
}

/** Throws AppError `order_not_found`. */
export async function getOrder(
  executor: Executor,
  context: Pick<LabsContext, 'cipher'>,
  teamId: string,
  orderId: string,
): Promise<OrderView> {
  const [order] = await readOrders(executor, context, teamId, [orderId]);
  if (!order) throw notFound('order_not_found', 'Order not found');
  return order;
}
