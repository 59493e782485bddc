import type { EventHeader, TeamPoint, TeamQuery, TeamPage } from '@pulsewire/eventlog';

type Direction = TeamQuery['direction'];

/** The point after an event of a shard. */
const behind = (direction: Direction, offset: number): number => (direction === 'forward' ? offset + 1 : offset);

/**
 * Merges pages of several shards by time into a list of at most `limit` events, preserving the log's order within each shard. The list ends
 * where a truncated page ends.
 */
export function mergePages(pages: readonly TeamPage[], direction: Direction, limit: number): readonly EventHeader[] {
  const taken = pages.map(() => 0);
  const isFirst = (a: number, b: number): boolean => (direction === 'forward' ? a < b : a > b);
  const merged: EventHeader[] = [];
  while (merged.length < limit) {
    let best: { index: number; at: number; header: EventHeader | undefined } | undefined;
    for (const [index, page] of pages.entries()) {
      const header = page.matches[taken[index] ?? 0];
      // Nothing is known beyond a truncated page, so no later event may be listed before the rest of that shard.
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
  /** Whether events may be left. */
  readonly hasMore: boolean;
  /** The first partition (backward: the last) that may hold remaining events; null when none remain. */
  readonly day: string | null;
}

/** The position after these events of the pages were used; events that did not match are skipped. */
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
