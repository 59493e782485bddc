import { withEvents, type Emit } from '@pulsewire/eventlog';
import { AppError, errorCode } from '@pulsewire/kernel';
import { isDataError, run, type Tx } from '@pulsewire/database';
import type { LabsContext, LabTeam } from '../context/context.ts';
import { findLabBySlug } from '../catalogue/lab.ts';
import { takeReport } from '../matching/take-report.ts';
import { isOrder } from '../model/of-team.ts';
import { labOrders } from '../model/order-tables.ts';
import { lockOrder, type StatusChange } from '../orders/change-status.ts';
import { localDayOfOrder } from '../orders/read/local-day.ts';
import { lowLevel } from '../orders/statuses/status.ts';
import { getOrder, type OrderRow } from '../orders/read/read-orders.ts';
import type { LabNotice } from '../partners/partner.ts';
import { emitTracking } from '../orders/order-tracking.ts';
import { continueKit } from '../fulfilment/continue-kit.ts';
import { endCancelled } from '../fulfilment/end-cancelled.ts';
import { findOrder } from './find-order.ts';
import { moveForward } from '../fulfilment/move-forward.ts';
import { dropHeldNotice, getHeldNotice, holdNotice } from './held-notices.ts';
import type { LowStatus } from '../model/order-status-words.ts';

/** Statuses that a lab may skip. */
const through: readonly LowStatus[] = [
  'requisition_created',
  'appointment_pending',
  'appointment_scheduled',
  'draw_completed',
  'transit_customer',
  'out_for_delivery',
  'with_customer',
  'transit_lab',
  'delivered_to_lab',
];

type StateNotice = Extract<LabNotice, { readonly kind: 'state' }>;
type ResultNotice = Extract<LabNotice, { readonly kind: 'results' }>;

const details: Readonly<Partial<Record<LowStatus, readonly string[]>>> = {
  lab_processing_blocked: ['date_of_collection_unspecified', 'demographic_information_unspecified', 'demographic_information_mismatch'],
  sample_error: [
    'sample_quantity_not_sufficient',
    'sample_contaminated',
    'sample_stability_exceeded',
    'sample_hemolyzed',
    'sample_improper_collection',
  ],
};

/** The low-level status for a lab's state; null: none. */
function statusFor({ method }: Pick<OrderRow, 'method'>, state: StateNotice['state']): LowStatus | null {
  if (state === 'accepted') return 'requisition_created';
  if (state === 'collected') return method === 'at_home_phlebotomy' || method === 'on_site_collection' ? 'draw_completed' : null;
  if (state === 'received') return method === 'testkit' ? 'delivered_to_lab' : null;
  if (state === 'blocked') return method === 'testkit' ? 'lab_processing_blocked' : null;
  if (state === 'redraw') return method === 'walk_in_test' ? 'redraw_available' : null;
  return state === 'unknown' ? null : state;
}

function detailOf(to: LowStatus, detail: string | null): Pick<StatusChange, 'detail'> {
  if (to === 'cancelled') return { detail: 'fulfillment_error' };
  return detail !== null && details[to]?.includes(detail) ? { detail: detail as NonNullable<StatusChange['detail']> } : {};
}

export type NoticeOutcome = 'applied' | 'ignored' | 'unknown_order' | 'review' | 'held';

async function announceCollection(tx: Tx, emit: Emit, context: LabsContext, order: OrderRow & { readonly userId: string }): Promise<void> {
  const { userId, clientUserId } = await context.owners.findUser(tx, order.teamId, order.userId);
  await emitTracking(tx, emit, context, await getOrder(tx, context, order.teamId, order.orderId), { userId, clientUserId });
}

/** A notice that is older than the last one of its order, or repeats it, changes nothing. */
async function applyStateNotice(
  context: LabsContext,
  team: LabTeam,
  lab: string,
  orderId: string,
  notice: StateNotice,
): Promise<NoticeOutcome> {
  return withEvents(context.database, async (tx, emit) => {
    const order = await lockOrder(tx, team.teamId, orderId);
    if (order.labNoticedAt !== null && order.labNoticedAt >= notice.at) return 'ignored';
    const to = statusFor(order, notice.state);
    const isCollected = order.collectedOn === null && notice.state === 'collected';
    const collectedOn = isCollected ? await localDayOfOrder(tx, context, order, notice.at) : order.collectedOn;
    const noticed = { labNoticedAt: notice.at, collectedOn, sampleId: order.sampleId ?? notice.sampleId };
    await run(tx.orm.update(labOrders).set(noticed).where(isOrder(order)));
    const locked = { ...order, ...noticed };
    if (isCollected) await announceCollection(tx, emit, context, locked);
    if (to === null || lowLevel(order.status) === to) return 'ignored';
    const isMoved = await moveForward(tx, emit, context, team, locked, { to, through, ...detailOf(to, notice.detail) });
    if (isMoved && to === 'cancelled') await endCancelled(tx, emit, context, team, orderId);
    // The response to our order was lost or is late, and will find nothing left to do.
    if (isMoved && to === 'requisition_created') await continueKit(tx, emit, context, team, locked, lab);
    return isMoved ? 'applied' : 'ignored';
  });
}

async function followResults(context: LabsContext, team: LabTeam, order: OrderRow, notice: ResultNotice): Promise<NoticeOutcome> {
  // The lab tests only what it has accepted, so the response to our order was lost or is late.
  if (order.sampleId === null || lowLevel(order.status) === 'ordered')
    await withEvents(context.database, async (tx, emit) => {
      const locked = await lockOrder(tx, team.teamId, order.orderId);
      const { sampleId } = notice;
      await moveForward(tx, emit, context, team, locked, {
        to: 'requisition_created',
        through: [],
        with: { sampleId: locked.sampleId ?? sampleId },
      });
    });
  const { status, sampleId, results, missing, collectedAt, at, patient } = notice;
  const report = {
    status: status === 'partial' ? 'partial' : 'final',
    sampleId,
    results,
    missing,
    collectedAt,
    receivedAt: null,
    at,
  } as const;
  const taken = await takeReport(context, team, {
    labId: order.labId,
    patient,
    isCorrection: status === 'corrected',
    report,
    orderId: order.orderId,
  });
  if (taken.kind === 'review') return 'review';
  return taken.kind === 'matched' ? 'applied' : 'ignored';
}

/**
 * Applies one notice of a lab. The same notice may arrive repeatedly, late and in any order. One that belongs to no order with certainty, or
 * cannot be stored, is held for the operator and shown to no team.
 */
export async function applyLabNotice(context: LabsContext, lab: string, notice: LabNotice): Promise<NoticeOutcome> {
  const labId = (await findLabBySlug(context.database, lab))?.labId;
  if (labId === undefined) return 'unknown_order';
  if (notice.kind === 'unreadable') {
    await holdNotice(context, labId, notice, notice);
    return 'held';
  }
  const found = await findOrder(context, labId, notice);
  if (found.kind === 'unknown') return 'unknown_order';
  if (found.kind === 'held') {
    await holdNotice(context, labId, notice, found);
    return 'held';
  }
  const { order, team } = found;
  try {
    return await (notice.kind === 'state'
      ? applyStateNotice(context, team, lab, order.orderId, notice)
      : followResults(context, team, order, notice));
  } catch (error) {
    if (!isDataError(error)) throw error;
    // Such as a sample number that another order of the team has: repeating the webhook would not help.
    const userIds = order.userId === null ? [] : [order.userId];
    await holdNotice(context, labId, notice, { reason: `refused_${errorCode(error)}`, userIds });
    return 'held';
  }
}

/**
 * Applies a held notice to the order that the operator names, and drops it. The order keeps its sample number. Throws AppErrors
 * `held_notice_not_found`, and `held_notice_not_applied` when the notice cannot be read or the order is not one of the lab.
 */
export async function assignHeldNotice(context: LabsContext, noticeId: string, orderId: string): Promise<NoticeOutcome> {
  const { notice, labSlug } = await getHeldNotice(context, noticeId);
  const readable = notice.kind === 'state' ? { ...notice, orderId, sampleId: null } : { ...notice, orderId };
  const outcome = notice.kind === 'unreadable' ? 'held' : await applyLabNotice(context, labSlug, readable);
  if (outcome === 'held' || outcome === 'unknown_order')
    throw new AppError({
      code: 'held_notice_not_applied',
      kind: 'invalid',
      message: 'The notice cannot be applied to this order: it is unreadable, or the order is not one of a production team at this lab',
    });
  await dropHeldNotice(context, noticeId);
  return outcome;
}
