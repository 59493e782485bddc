import type { EventHeader, TeamPoint, TeamQuery, TeamPage } from '@pulsewire/eventlog';

type Direction = TeamQuery['direction'];

/** The next point of a shard behind an event. */
const behind = (direction: Direction, offset: number): number => (direction === 'forward' ? offset + 1 : offset);

/** Pages of several shards as one list by time, at most `limit` long, in the log's order within each shard. Where a page ends before the shard does, so does the list. */
export function mergePages(pages: readonly TeamPage[], direction: Direction, limit: number): readonly EventHeader[] {
  const taken = pages.map(() => 0);
  const isFirst = (a: number, b: number): boolean => (direction === 'forward' ? a < b : a > b);
  const merged: EventHeader[] = [];
  while (merged.length < limit) {
    let best: { index: number; at: number; header: EventHeader | undefined } | undefined;
    for (const [index, page] of pages.entries()) {
      const header = page.matches[taken[index] ?? 0];
      // Behind a page that was cut nothing is known: no event that is further away may come before it.
      const at = header?.writtenAt ?? (page.hasMore ? page.last.writtenAt : undefined);
      if (at !== undefined && (best === undefined || isFirst(at, best.at))) best = { index, at, header };
    }
    if (best?.header === undefined) break;
    taken[best.index] = (taken[best.index] ?? 0) + 1;
    merged.push(best.header);
  }
  return merged;
}

export interface NextPoints {
  readonly points: readonly TeamPoint[];
  /** Something is left, or may be. */
  readonly hasMore: boolean;
  /** No event that is left lies in an earlier (backward: later) partition; null when nothing is left. */
  readonly day: string | null;
}

/** Where to read on after these events of the pages were used. Events that did not match are passed by. */
export function advance(
  points: readonly TeamPoint[],
  pages: readonly TeamPage[],
  used: readonly EventHeader[],
  direction: Direction,
): NextPoints {
  const usedOf = new Map<number, number>();
  for (const { shard } of used) usedOf.set(shard, (usedOf.get(shard) ?? 0) + 1);
  const next = new Map(points.map(({ shard, offset }) => [shard, offset]));
  const days: string[] = [];
  for (const page of pages) {
    const left = page.matches[usedOf.get(page.shard) ?? 0];
    if (left === undefined) next.set(page.shard, behind(direction, page.last.offset));
    else next.set(page.shard, direction === 'forward' ? left.offset : left.offset + 1);
    if (left !== undefined) days.push(left.day);
    else if (page.hasMore) days.push(page.last.day);
  }
  days.sort();
  return {
    points: points.map(({ shard }) => ({ shard, offset: next.get(shard) ?? 0 })),
    hasMore: days.length > 0,
    day: (direction === 'forward' ? days[0] : days.at(-1)) ?? null,
  };
}
