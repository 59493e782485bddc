import { collectionMethods, type CollectionMethod } from '../../model/catalogue.ts';
import type { HighStatus, LowStatus, OrderStatus } from '../../model/order-status-words.ts';
import { machineOf } from './transitions.ts';

/** The full status, such as `received.testkit.ordered`. */
export function fullStatus(method: CollectionMethod, low: LowStatus): OrderStatus {
  const levels = Object.entries(machineOf(method, false).levels) as [HighStatus, readonly LowStatus[]][];
  const high = levels.find(([, lows]) => lows.includes(low))?.[0];
  if (high === undefined) throw new RangeError(`There is no status ${low} of ${method}`);
  return `${high}.${method}.${low}`;
}

/** The last part of a status. */
export function lowLevel(status: OrderStatus): LowStatus {
  return status.slice(status.lastIndexOf('.') + 1) as LowStatus;
}

/** The first part of a status. */
export function highLevel(status: OrderStatus): HighStatus {
  return status.slice(0, status.indexOf('.')) as HighStatus;
}

/** Every status that an order may have. */
export const allStatuses: readonly OrderStatus[] = collectionMethods.flatMap((method) =>
  Object.values(machineOf(method, false).levels).flatMap((lows) => lows.map((low) => fullStatus(method, low))),
);

/** Whether a text is a status that an order may have. */
export function isOrderStatus(text: string): text is OrderStatus {
  return allStatuses.some((status) => status === text);
}

/** The statuses with this last part, or the one that is exactly this. */
export function statusesOf(word: string): readonly OrderStatus[] {
  return allStatuses.filter((status) => status === word || lowLevel(status) === word);
}

export interface Progress {
  readonly method: CollectionMethod;
  readonly isRegistrable: boolean;
  /** Low-level. */
  readonly from: LowStatus;
}

export function isAllowed({ method, isRegistrable, from }: Progress, to: LowStatus): boolean {
  return machineOf(method, isRegistrable).edges[from]?.includes(to) ?? false;
}

/** Whether the order changes no further by itself. */
export function isFinal(status: OrderStatus): boolean {
  return ['completed', 'cancelled', 'failed'].includes(highLevel(status)) || lowLevel(status) === 'redraw_available';
}

/** The shortest path to a status, excluding the current one; null when there is none. Empty for the current status. */
export function shortestPath(progress: Progress, to: LowStatus): readonly LowStatus[] | null {
  return pathThrough(progress, to, null);
}

/** As `shortestPath`, with only these statuses on the way; null: with any. */
export function pathThrough(
  { method, isRegistrable, from }: Progress,
  to: LowStatus,
  through: readonly LowStatus[] | null,
): readonly LowStatus[] | null {
  if (from === to) return [];
  const { edges } = machineOf(method, isRegistrable);
  const cameFrom = new Map<LowStatus, LowStatus | null>([[from, null]]);
  for (const at of cameFrom.keys()) {
    if (at !== from && through !== null && !through.includes(at)) continue;
    for (const next of edges[at] ?? []) if (!cameFrom.has(next)) cameFrom.set(next, at);
  }
  if (!cameFrom.has(to)) return null;
  const path: LowStatus[] = [];
  for (let at: LowStatus | null = to; at !== null && at !== from; at = cameFrom.get(at) ?? null) path.unshift(at);
  return path;
}

/** The remaining statuses until completion if nothing fails; null when the order can no longer be completed. */
export function restOfSuccessPath(progress: Progress): readonly LowStatus[] | null {
  const { successPath } = machineOf(progress.method, progress.isRegistrable);
  const at = successPath.indexOf(progress.from);
  return at >= 0 ? successPath.slice(at + 1) : shortestPath(progress, 'completed');
}
