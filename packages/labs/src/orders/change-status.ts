import { and, eq, isNotNull } from 'drizzle-orm';
import type { Emit } from '@pulsewire/eventlog';
import { run, type Tx } from '@pulsewire/database';
import type { LabsContext, LabTeam } from '../context/context.ts';
import { notFound, refused } from '../model/errors.ts';
import { wakeJobs } from '../jobs/job-queue.ts';
import { labPartnerJobs } from '../model/job-tables.ts';
import { isOrder } from '../model/of-team.ts';
import { labOrderEvents, labOrders } from '../model/order-tables.ts';
import { emitOrderView } from './emit-order.ts';
import { insertRedraw } from './insert-redraw.ts';
import { emitTracking } from './order-tracking.ts';
import { getOrder, type OrderRow, type OrderView } from './read/read-orders.ts';
import type { StatusDetail } from './statuses/transitions.ts';
import { fullStatus, isAllowed, lowLevel, type Progress } from './statuses/status.ts';
import type { CollectionMethod } from '../model/catalogue.ts';
import type { LowStatus } from '../model/order-status-words.ts';

/** Throws AppError `order_not_found`. Locks the row until the transaction ends. */
export async function lockOrder({ orm }: Tx, teamId: string, orderId: string): Promise<OrderRow & { readonly userId: string }> {
  const mine = and(isOrder({ teamId, orderId }), isNotNull(labOrders.userId));
  const [order] = await run(orm.select().from(labOrders).where(mine).for('update'));
  if (!order || order.userId === null) throw notFound('order_not_found', 'Order not found');
  return { ...order, userId: order.userId };
}

export function progressOf(order: OrderRow): Progress {
  return { method: order.method as CollectionMethod, isRegistrable: order.isRegistrable, from: lowLevel(order.status) };
}

/** Confirms an appointment that was booked before the requisition existed. */
async function wakeWatchers(tx: Tx, { teamId, orderId }: OrderRow): Promise<void> {
  const watching = and(
    eq(labPartnerJobs.teamId, teamId),
    eq(labPartnerJobs.orderId, orderId),
    eq(labPartnerJobs.kind, 'watch_appointment'),
  );
  await wakeJobs(tx, watching);
}

/** Statuses that an order gets together with results. */
const withResults = new Set<LowStatus>(['partial_results', 'completed', 'corrected', 'redraw_available']);

export interface StatusChange {
  readonly to: LowStatus;
  readonly detail?: StatusDetail | null;
  /** Columns to change with the status. */
  readonly with?: Partial<Pick<OrderRow, 'sampleId' | 'collectedOn' | 'activateBy'>>;
}

/**
 * Moves a locked order to another status: writes its history and row, and emits `labtest.order.updated`, with results or a day of collection
 * also `labtest.order_tracking.updated`. Partial results are announced only to teams that enabled this. Returns the order as it is now, still
 * locked. Throws AppError `transition_not_allowed`.
 */
export async function changeStatus(
  tx: Tx,
  emit: Emit,
  context: LabsContext,
  team: LabTeam,
  order: OrderRow & { readonly userId: string },
  change: StatusChange,
): Promise<OrderView> {
  const progress = progressOf(order);
  const { to } = change;
  if (!isAllowed(progress, to) || (to === 'redraw_available' && order.origin === 'redraw'))
    throw refused('transition_not_allowed', `The transition from ${progress.from} to ${to} is not allowed`);
  return appendStatus(tx, emit, context, team, order, change);
}

/** As `changeStatus`, but without checking the transition: for the second status of an order that starts with two. */
export async function appendStatus(
  tx: Tx,
  emit: Emit,
  context: LabsContext,
  team: LabTeam,
  order: OrderRow & { readonly userId: string },
  { to, detail = null, with: columns }: StatusChange,
): Promise<OrderView> {
  const now = context.clock.now();
  const status = fullStatus(order.method as CollectionMethod, to);
  await run(tx.orm.insert(labOrderEvents).values({ orderId: order.orderId, status, statusDetail: detail, createdAt: now }));
  const values = { ...columns, status, statusAt: now, updatedAt: now };
  await run(tx.orm.update(labOrders).set(values).where(isOrder(order)));
  if (to === 'requisition_created') await wakeWatchers(tx, order);
  const { userId, clientUserId } = await context.owners.findUser(tx, team.teamId, order.userId);
  const user = { userId, clientUserId };
  const view = await getOrder(tx, context, team.teamId, order.orderId);
  const isAnnounced = to !== 'partial_results' || team.partialResults;
  if (isAnnounced) emitOrderView(emit, view, user, false);
  const isCollectedNow = order.collectedOn === null && view.order.collectedOn !== null;
  if (isAnnounced && (isCollectedNow || withResults.has(to))) await emitTracking(tx, emit, context, view, user);
  if (to === 'redraw_available') await insertRedraw(tx, emit, context, team, order, user);
  return view;
}
