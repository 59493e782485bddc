import { and, asc, desc, eq, inArray, isNotNull } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { findLabTests, type LabTest } from '../../catalogue/lab-tests.ts';
import type { LabsContext } from '../../context/context.ts';
import { labAppointments } from '../../model/appointment-tables.ts';
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
  const ids = [...orderIds];
  const mine = and(eq(labOrders.teamId, teamId), isNotNull(labOrders.userId), inArray(labOrders.orderId, ids));
  const detailsQuery = orm
    .select({ order: labOrders, details: labOrderDetails.details })
    .from(labOrders)
    .innerJoin(labOrderDetails, eq(labOrderDetails.orderId, labOrders.orderId))
    .where(mine);
  const eventsQuery = orm.select().from(labOrderEvents).where(inArray(labOrderEvents.orderId, ids)).orderBy(asc(labOrderEvents.eventId));
  const appointmentsQuery = orm
    .select({ orderId: labAppointments.orderId, appointmentId: labAppointments.appointmentId })
    .from(labAppointments)
    .where(inArray(labAppointments.orderId, ids))
    .orderBy(desc(labAppointments.createdAt));
  const [rows, events, appointments] = await Promise.all([run(detailsQuery), run(eventsQuery), run(appointmentsQuery)]);
  const kits = rows.flatMap(({ order }) => (order.method === 'testkit' ? [order.orderId] : []));
  const shipments: ReadonlyMap<string, Shipment> = kits.length === 0 ? new Map() : await readShipments(executor, context, kits);
  const testIds = [...new Set(rows.map(({ order }) => order.labTestId))];
  const [found, transactions] = await Promise.all([
    findLabTests(executor, teamId, testIds),
    findTransactions(executor, teamId, [...new Set(rows.map(({ order }) => order.transactionId))]),
  ]);
  const tests = new Map(found.map((test) => [test.labTestId, test]));
  const eventsOf = Map.groupBy(events, ({ orderId }) => orderId);
  const byId = new Map(rows.map((row) => [row.order.orderId, row]));
  return ids.flatMap((id) => {
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
      appointmentId: appointments.find(({ orderId }) => orderId === id)?.appointmentId ?? null,
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
