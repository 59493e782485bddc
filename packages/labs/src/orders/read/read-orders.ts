import { and, asc, eq, isNotNull } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { findLabTests, type LabTest } from '../../catalogue/lab-tests.ts';
import type { LabsContext } from '../../context/context.ts';
import { labAppointments } from '../../model/appointment-tables.ts';
import { isAmong } from '../../model/columns.ts';
import { notFound } from '../../model/errors.ts';
import { labOrderDetails, labOrderEvents, labOrders } from '../../model/order-tables.ts';
import { openOrder, type OrderSecrets } from '../sealed/order-secrets.ts';
import { readShipments, type Shipment } from '../files/shipments.ts';
import { findTransactions, type Transaction } from './transactions.ts';

export type OrderRow = typeof labOrders.$inferSelect;
export type OrderEventRow = typeof labOrderEvents.$inferSelect;

/** An order with all fields of a response. */
export interface OrderView {
  readonly order: OrderRow & { readonly userId: string };
  readonly secrets: OrderSecrets;
  readonly events: readonly OrderEventRow[];
  readonly test: LabTest;
  readonly transaction: Transaction;
  readonly appointmentId: string | null;
  readonly shipment: Shipment | null;
}

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
      .select({ order: labOrders, details: labOrderDetails.details })
      .from(labOrders)
      .innerJoin(labOrderDetails, eq(labOrderDetails.orderId, labOrders.orderId))
      .where(mine),
  );
  const ids = rows.map(({ order }) => order.orderId);
  const kits = rows.flatMap(({ order }) => (order.method === 'testkit' ? [order.orderId] : []));
  const eventsQuery = orm.select().from(labOrderEvents).where(isAmong(labOrderEvents.orderId, ids)).orderBy(asc(labOrderEvents.eventId));
  const appointmentsQuery = orm
    .select({ orderId: labAppointments.orderId, appointmentId: labAppointments.appointmentId })
    .from(labAppointments)
    .where(and(eq(labAppointments.teamId, teamId), isAmong(labAppointments.orderId, ids)))
    .orderBy(asc(labAppointments.createdAt));
  const [events, appointments, shipments, found, transactions] = await Promise.all([
    run(eventsQuery),
    run(appointmentsQuery),
    readShipments(executor, context, teamId, kits),
    findLabTests(executor, teamId, [...new Set(rows.map(({ order }) => order.labTestId))]),
    findTransactions(executor, teamId, [...new Set(rows.map(({ order }) => order.transactionId))]),
  ]);
  // The newest is the last.
  const appointmentOf = new Map(appointments.map(({ orderId, appointmentId }) => [orderId, appointmentId]));
  const tests = new Map(found.map((test) => [test.labTestId, test]));
  const eventsOf = Map.groupBy(events, ({ orderId }) => orderId);
  const byId = new Map(rows.map((row) => [row.order.orderId, row]));
  return orderIds.flatMap((id) => {
    const row = byId.get(id);
    const test = row && tests.get(row.order.labTestId);
    const transaction = row && transactions.get(row.order.transactionId);
    if (!row || !test || !transaction || row.order.userId === null) return [];
    return {
      order: { ...row.order, userId: row.order.userId },
      secrets: openOrder(context.cipher, id, row.details),
      events: eventsOf.get(id) ?? [],
      test,
      transaction,
      appointmentId: appointmentOf.get(id) ?? null,
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
