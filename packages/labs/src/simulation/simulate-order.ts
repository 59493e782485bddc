import { withEvents, type Emit } from '@pulsewire/eventlog';
import { uuidv5 } from '@pulsewire/kernel';
import type { Tx } from '@pulsewire/database';
import { withResults } from '../catalogue/markers.ts';
import type { LabsContext, LabTeam } from '../context/context.ts';
import { refused } from '../model/errors.ts';
import { changeStatus, lockOrder, progressOf, type StatusChange } from '../orders/change-status.ts';
import { localDayOfOrder } from '../orders/read/local-day.ts';
import { getOrder, type OrderRow } from '../orders/read/read-orders.ts';
import { putShipment } from '../orders/files/shipments.ts';
import { lowLevel, restOfSuccessPath, shortestPath } from '../orders/statuses/status.ts';
import type { Interpretation, ResultType } from '../model/results.ts';
import { storeResults } from '../results/store-results.ts';
import { allResultTypes, analytesOf, simulateValues } from './simulate-values.ts';
import type { LowStatus, OrderStatus } from '../model/order-status-words.ts';

export interface Simulation {
  /** Full status; null: completed, by the usual path. */
  readonly finalStatus: OrderStatus | null;
  readonly interpretation: Interpretation;
  /** Null: cycles through all of them. */
  readonly resultTypes: readonly ResultType[] | null;
  readonly hasMissingResults: boolean;
}

function pathOf(order: OrderRow, { finalStatus }: Simulation): readonly LowStatus[] {
  const progress = progressOf(order);
  const path = finalStatus === null ? restOfSuccessPath(progress) : shortestPath(progress, lowLevel(finalStatus));
  const isOfMethod = finalStatus === null || finalStatus.split('.')[1] === order.method;
  const isSecondRedraw = order.origin === 'redraw' && finalStatus !== null && lowLevel(finalStatus) === 'redraw_available';
  if (path === null || !isOfMethod || isSecondRedraw)
    throw refused('transition_not_allowed', `An order cannot change from ${order.status} to ${finalStatus ?? 'completed'}`);
  return path;
}

const collected = new Set<LowStatus>(['draw_completed', 'transit_lab', 'partial_results', 'completed', 'redraw_available']);
const reported = new Set<LowStatus>(['partial_results', 'completed', 'corrected', 'redraw_available']);

async function changeTo(tx: Tx, context: LabsContext, to: LowStatus, order: OrderRow): Promise<StatusChange> {
  const isCollected = collected.has(to) && order.collectedOn === null;
  return {
    to,
    with: {
      ...(order.sampleId === null && (to === 'requisition_created' || reported.has(to)) && { sampleId: simulatedSample(order) }),
      ...(isCollected && { collectedOn: await localDayOfOrder(tx, context, order, context.clock.now()) }),
    },
  };
}

const simulatedSample = ({ orderId }: OrderRow) => `SIM-${orderId.slice(0, 13).toUpperCase()}`;

async function report(
  tx: Tx,
  emit: Emit,
  context: LabsContext,
  order: OrderRow & { readonly userId: string },
  to: string,
  simulation: Simulation,
): Promise<void> {
  const at = context.clock.now();
  const { test } = await getOrder(tx, context, order.teamId, order.orderId);
  const isRedraw = to === 'redraw_available';
  const values = simulateValues(analytesOf(await withResults(tx, test.markers)), {
    seed: to === 'corrected' ? `${order.orderId} corrected` : order.orderId,
    interpretation: simulation.interpretation,
    types: simulation.resultTypes ?? allResultTypes,
    failure: isRedraw ? 'internal_lab_failure' : simulation.hasMissingResults ? 'quantity_not_sufficient_failure' : null,
    portion: to === 'partial_results' ? 0.5 : 1,
    at,
  });
  const status = to === 'partial_results' ? 'partial' : 'final';
  const sampleId = order.sampleId ?? simulatedSample(order);
  await storeResults(tx, emit, context, order, { ...values, status, sampleId, collectedAt: null, receivedAt: at, at });
}

/** A parcel with numbers that no courier has. */
async function ship(tx: Tx, context: LabsContext, { orderId, teamId }: OrderRow, to: 'transit_customer' | 'transit_lab'): Promise<void> {
  const number = `SIM${orderId.replaceAll('-', '').slice(0, 15).toUpperCase()}`;
  const details =
    to === 'transit_customer'
      ? { outboundTrackingNumber: `${number}-OUT`, outboundCourier: 'Simulated courier' }
      : { inboundTrackingNumber: `${number}-IN`, inboundCourier: 'Simulated courier' };
  const shipmentId = uuidv5(orderId, 'shipment');
  await putShipment(tx, context, { orderId, teamId, partner: 'simulation', providerId: shipmentId, shipmentId, details });
}

/** Checks that a simulation is possible. Returns the user of the order. Throws AppErrors `order_not_found` and of kind `invalid`. */
export async function checkSimulation(context: LabsContext, team: LabTeam, orderId: string, simulation: Simulation): Promise<string> {
  if (!team.isSandbox) throw refused('sandbox_only', 'Orders are simulated for sandbox teams only');
  return context.database.transaction(async (tx) => {
    const order = await lockOrder(tx, team.teamId, orderId);
    pathOf(order, simulation);
    return order.userId;
  });
}

/** Moves an order of a sandbox team through every status to the final one, each in its own transaction. */
export async function simulateOrder(context: LabsContext, team: LabTeam, orderId: string, simulation: Simulation): Promise<void> {
  await checkSimulation(context, team, orderId, simulation);
  for (let isDone = false; !isDone;) {
    isDone = await withEvents(context.database, async (tx, emit) => {
      const order = await lockOrder(tx, team.teamId, orderId);
      const [next, ...rest] = pathOf(order, simulation);
      if (next === undefined) return true;
      if (next === 'transit_customer' || next === 'transit_lab') await ship(tx, context, order, next);
      if (reported.has(next)) await report(tx, emit, context, order, next, simulation);
      await changeStatus(tx, emit, context, team, order, await changeTo(tx, context, next, order));
      return rest.length === 0;
    });
  }
}
