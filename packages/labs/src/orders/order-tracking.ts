import { eq } from 'drizzle-orm';
import type { OrderTracking } from '@pulsewire/contract';
import { run, type Executor, type Tx } from '@pulsewire/database';
import { jsonEvent, type Emit } from '@pulsewire/eventlog';
import { withResults, type MarkerWithResults } from '../catalogue/markers.ts';
import type { LabsContext, LabUser } from '../context/context.ts';
import { labResults } from '../model/order-tables.ts';
import type { OrderView } from './read/read-orders.ts';
import { renderOrder } from './read/render-order.ts';
import { highLevel } from './statuses/status.ts';
import { openResults, type OrderResults } from '../model/results.ts';

type TrackedMarker = OrderTracking['markers'][number];

/** What an ordered marker still lacks. Results that are not required are expected once they are there, or reported as not measured. */
function trackMarker(marker: MarkerWithResults, results: OrderResults | null): TrackedMarker {
  const { markerId, name, slug, providerId, expectedResults } = marker;
  const measured = new Set(results?.results.map((result) => result.providerId));
  const missing = new Set(results?.missing.map((result) => result.providerId).filter((code) => !measured.has(code)));
  const expected = expectedResults.length === 0 ? [{ providerId, isRequired: true }] : expectedResults;
  const counted = expected.filter((result) => result.isRequired || measured.has(result.providerId) || missing.has(result.providerId));
  const [resulted, lacking] = [measured, missing].map((codes) => counted.filter((result) => codes.has(result.providerId)).length);
  const isComplete = resulted === counted.length && counted.length > 0;
  return {
    marker_id: markerId,
    name,
    slug,
    provider_id: providerId,
    status: isComplete ? 'resulted' : resulted === 0 && lacking === 0 ? 'pending' : 'incomplete',
    expected_results: counted.length,
    resulted: resulted ?? 0,
    not_measured: lacking ?? 0,
  };
}

/** How far an order is, from its row, its ordered markers and the results so far. */
export function trackOrder(view: OrderView, markers: readonly MarkerWithResults[], results: OrderResults | null): OrderTracking {
  const { id, user_id, team_id, expected_result_by_date, worst_case_result_by_date, updated_at } = renderOrder(view);
  const tracked = markers.map((marker) => trackMarker(marker, results));
  const { collectedOn, status } = view.order;
  const hasEnded = ['cancelled', 'failed'].includes(highLevel(status));
  const stage = () => {
    if (tracked.every((marker) => marker.status === 'resulted')) return 'resulted';
    if (tracked.some((marker) => marker.status !== 'pending')) return 'incomplete';
    if (hasEnded) return 'ended';
    return collectedOn === null ? 'expected' : 'collected';
  };
  return {
    order_id: id,
    user_id,
    team_id,
    status: stage(),
    collected_on: collectedOn,
    expected_result_by_date,
    worst_case_result_by_date,
    markers: tracked,
    updated_at,
  };
}

/** How far an order is. */
export async function readTracking(executor: Executor, { cipher }: Pick<LabsContext, 'cipher'>, view: OrderView): Promise<OrderTracking> {
  const { orderId } = view.order;
  const markers = await withResults(executor, view.test.markers);
  // The reader of the view has checked the team, which results do not name.
  const [row] = await run(executor.orm.select({ details: labResults.details }).from(labResults).where(eq(labResults.orderId, orderId)));
  return trackOrder(view, markers, row ? openResults(cipher, orderId, row.details) : null);
}

/** Emits how far an order is now. */
export async function emitTracking(tx: Tx, emit: Emit, context: LabsContext, view: OrderView, user: LabUser): Promise<void> {
  const data = await readTracking(tx, context, view);
  emit(jsonEvent({ eventType: 'labtest.order_tracking.updated', teamId: view.order.teamId, ...user, data }));
}
