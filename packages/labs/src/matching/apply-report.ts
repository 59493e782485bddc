import type { Emit } from '@pulsewire/eventlog';
import type { Tx } from '@pulsewire/database';
import type { LabsContext, LabTeam } from '../context/context.ts';
import { changeStatus, progressOf } from '../orders/change-status.ts';
import { localDayOfOrder } from '../orders/read/local-day.ts';
import { getOrder, type OrderRow } from '../orders/read/read-orders.ts';
import { highLevel, isAllowed, shortestPath } from '../orders/statuses/status.ts';
import type { LabReport } from '../results/lab-report.ts';
import { emitTracking } from '../orders/order-tracking.ts';
import { storeResults } from '../results/store-results.ts';
import type { LowStatus } from '../model/order-status-words.ts';

/** The statuses that an order passes through on receiving the report; null when it can no longer receive one. */
export function pathOfReport(order: OrderRow, report: LabReport): readonly LowStatus[] | null {
  const progress = progressOf(order);
  if (highLevel(order.status) === 'completed') return ['corrected'];
  if (report.status === 'final') return shortestPath(progress, 'completed');
  if (isAllowed(progress, 'partial_results')) return ['partial_results'];
  // Some methods, such as test kits, have no status for partial results; the order's status is then unchanged.
  return shortestPath(progress, 'partial_results') ?? (shortestPath(progress, 'completed') === null ? null : []);
}

/** Stores the report as the results of a locked order and moves the order through `path`, with an event for each status. */
export async function applyReport(
  tx: Tx,
  emit: Emit,
  context: LabsContext,
  team: LabTeam,
  order: OrderRow & { readonly userId: string },
  report: LabReport,
  path: readonly LowStatus[],
): Promise<void> {
  const collectedOn = order.collectedOn ?? (report.collectedAt && (await localDayOfOrder(tx, context, order, report.collectedAt)));
  let current = order;
  const move = async (to: LowStatus) => {
    ({ order: current } = await changeStatus(tx, emit, context, team, current, { to, with: { collectedOn } }));
  };
  for (const to of path.slice(0, -1)) await move(to);
  await storeResults(tx, emit, context, current, report);
  const last = path.at(-1);
  if (last !== undefined) return move(last);
  if (report.status === 'partial' && !team.partialResults) return;
  const user = await context.owners.findUser(tx, order.teamId, order.userId);
  const view = await getOrder(tx, context, order.teamId, order.orderId);
  await emitTracking(tx, emit, context, view, { userId: user.userId, clientUserId: user.clientUserId });
}
