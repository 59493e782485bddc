import { uuidv5 } from '@pulsewire/kernel';
import type { Emit } from '@pulsewire/eventlog';
import { run, type Tx } from '@pulsewire/database';
import type { LabsContext, LabTeam } from '../context/context.ts';
import { isOrder } from '../model/of-team.ts';
import { labOrders } from '../model/order-tables.ts';
import { lockOrder } from '../orders/change-status.ts';
import { emitOrder } from '../orders/emit-order.ts';
import { localDayOfOrder } from '../orders/read/local-day.ts';
import type { OrderRow } from '../orders/read/read-orders.ts';
import { putShipment, readShipments } from '../orders/files/shipments.ts';
import { parcelStates, type ShipmentState } from '../partners/partner.ts';
import { endCancelled } from './end-cancelled.ts';
import { moveForward } from './move-forward.ts';
import type { LowStatus } from '../model/order-status-words.ts';

/** Statuses that a parcel may skip. Registration and requisition are not among them, because they do not depend on the parcel. */
const through: readonly LowStatus[] = ['transit_customer', 'out_for_delivery', 'with_customer', 'transit_lab'];

export type ParcelOutcome = 'moved' | 'kept' | 'late';

async function moveTo(
  tx: Tx,
  emit: Emit,
  context: LabsContext,
  team: LabTeam,
  order: OrderRow & { readonly userId: string },
  { state, at }: { readonly state: LowStatus | 'unknown' | 'packing'; readonly at: Date },
) {
  if (state === 'unknown' || state === 'packing') return false;
  // A kit that left the patient contains the sample.
  const isCollected = state === 'transit_lab' && order.collectedOn === null;
  const columns = isCollected ? { with: { collectedOn: await localDayOfOrder(tx, context, order, at) } } : {};
  const detail = state === 'cancelled' ? { detail: 'fulfillment_error' as const } : {};
  const isMoved = await moveForward(tx, emit, context, team, order, { to: state, through, ...columns, ...detail });
  if (isMoved && state === 'cancelled') await endCancelled(tx, emit, context, team, order.orderId);
  return isMoved;
}

/**
 * Stores what a company reports about a parcel and moves its order. A report that is older than the last one, or repeats it, changes
 * nothing.
 */
export async function applyShipment(
  tx: Tx,
  emit: Emit,
  context: LabsContext,
  team: LabTeam,
  partner: string,
  parcel: ShipmentState,
): Promise<ParcelOutcome> {
  const { teamId } = team;
  const { orderId, state, at } = parcel;
  const order = await lockOrder(tx, teamId, orderId);
  const known = (await readShipments(tx, context, teamId, [orderId])).get(orderId);
  if (known?.reportedAt != null && Date.parse(known.reportedAt) >= at.getTime()) return 'late';
  const details = { ...parcel.details, state, reportedAt: at.toISOString() };
  const shipmentId = known?.shipmentId ?? uuidv5(orderId, 'shipment');
  await putShipment(tx, context, { orderId, teamId, partner, providerId: parcel.shipmentId, shipmentId, details });
  const sampleId = order.sampleId ?? parcel.sampleId;
  if (sampleId !== order.sampleId) await run(tx.orm.update(labOrders).set({ sampleId }).where(isOrder(order)));
  if (await moveTo(tx, emit, context, team, { ...order, sampleId }, { state, at })) return 'moved';
  const { userId, clientUserId } = await context.owners.findUser(tx, teamId, order.userId);
  // Tracking numbers and the number of the kit are news too.
  await emitOrder(tx, emit, context, { teamId, orderId, user: { userId, clientUserId }, isNew: false });
  return 'kept';
}

/** Moves an order to the last reported state of its parcel, which had to wait for the registration of the kit. */
export async function advanceParcel(tx: Tx, emit: Emit, context: LabsContext, team: LabTeam, orderId: string): Promise<void> {
  const { state, reportedAt } = (await readShipments(tx, context, team.teamId, [orderId])).get(orderId) ?? {};
  const order = await lockOrder(tx, team.teamId, orderId);
  const at = reportedAt === undefined ? context.clock.now() : new Date(reportedAt);
  const known = parcelStates.find((one) => one === state);
  if (known !== undefined) await moveTo(tx, emit, context, team, order, { state: known, at });
}
