import { collectionMethods, type CollectionMethod } from '../../model/catalogue.ts';
import { machineOf } from './transitions.ts';

/** The full status, such as `received.testkit.ordered`. */
export function fullStatus(method: CollectionMethod, low: string): string {
  const high = Object.entries(machineOf(method, false).levels).find(([, lows]) => lows.includes(low))?.[0];
  if (high === undefined) throw new RangeError(`There is no status ${low} of ${method}`);
  return `${high}.${method}.${low}`;
}

/** The last part of a status. */
export function lowLevel(status: string): string {
  return status.slice(status.lastIndexOf('.') + 1);
}

/** The first part of a status. */
export function highLevel(status: string): string {
  return status.slice(0, status.indexOf('.'));
}

/** Every status that an order may have. */
export const allStatuses: readonly string[] = collectionMethods.flatMap((method) =>
  Object.values(machineOf(method, false).levels).flatMap((lows) => lows.map((low) => fullStatus(method, low))),
);

/** The statuses with this last part. */
export function statusesOf(low: string): readonly string[] {
  return allStatuses.filter((status) => lowLevel(status) === low);
}

export interface Progress {
  readonly method: CollectionMethod;
  readonly isRegistrable: boolean;
  /** Low-level. */
  readonly from: string;
}

export function isAllowed({ method, isRegistrable, from }: Progress, to: string): boolean {
  return machineOf(method, isRegistrable).edges[from]?.includes(to) ?? false;
}

/** Whether the order changes no further by itself. */
export function isFinal(status: string): boolean {
  return ['completed', 'cancelled', 'failed'].includes(highLevel(status)) || lowLevel(status) === 'redraw_available';
}

/** The shortest path to a status, excluding the current one; null when there is none. Empty for the current status. */
export function shortestPath(progress: Progress, to: string): readonly string[] | null {
  return pathThrough(progress, to, null);
}

/** As `shortestPath`, with only these statuses on the way; null: with any. */
export function pathThrough(
  { method, isRegistrable, from }: Progress,
  to: string,
  through: readonly string[] | null,
): readonly string[] | null {
  if (from === to) return [];
  const { edges } = machineOf(method, isRegistrable);
  const cameFrom = new Map<string, string | null>([[from, null]]);
  for (const at of cameFrom.keys()) {
    if (at !== from && through !== null && !through.includes(at)) continue;
    for (const next of edges[at] ?? []) if (!cameFrom.has(next)) cameFrom.set(next, at);
  }
  if (!cameFrom.has(to)) return null;
  const path: string[] = [];
  for (let at: string | null = to; at !== null && at !== from; at = cameFrom.get(at) ?? null) path.unshift(at);
  return path;
}

/** The remaining statuses until completion if nothing fails; null when the order can no longer be completed. */
export function restOfSuccessPath(progress: Progress): readonly string[] | null {
  const { successPath } = machineOf(progress.method, progress.isRegistrable);
  const at = successPath.indexOf(progress.from);
  return at >= 0 ? successPath.slice(at + 1) : shortestPath(progress, 'completed');
}
