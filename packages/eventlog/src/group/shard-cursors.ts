import type { OwnedShard } from './member.ts';
import type { LogEvent, Position, ReadPoint } from '../model/types.ts';

interface Cursor {
  readonly epoch: number;
  next: { offset: number; day: string };
  recorded: number;
  /** Set while the shard is being released: nothing more is read, but events already handed over may still be recorded. */
  releasingSinceMs: number | null;
}

/** The next offset to read of each owned shard, and its recorded position. */
export class ShardCursors {
  readonly #cursors = new Map<number, Cursor>();
  #rotation = 0;

  get count(): number {
    return this.#cursors.size;
  }

  shards(): number[] {
    return [...this.#cursors.keys()];
  }

  add(owned: OwnedShard): void {
    this.#cursors.set(owned.shard, {
      epoch: owned.epoch,
      next: { offset: owned.offset, day: owned.day },
      recorded: owned.offset,
      releasingSinceMs: null,
    });
  }

  remove(shard: number): void {
    this.#cursors.delete(shard);
  }

  epochOf(shard: number): number | undefined {
    return this.#cursors.get(shard)?.epoch;
  }

  nextOffsetOf(shard: number): number | undefined {
    return this.#cursors.get(shard)?.next.offset;
  }

  /** Points to read from, starting with a different shard each time, so that a busy one cannot starve the rest. */
  readPoints(): ReadPoint[] {
    const readable = [...this.#cursors].filter(([, cursor]) => cursor.releasingSinceMs === null);
    if (readable.length === 0) return [];
    this.#rotation = (this.#rotation + 1) % readable.length;
    return [...readable.slice(this.#rotation), ...readable.slice(0, this.#rotation)].map(([shard, cursor]) => ({ shard, ...cursor.next }));
  }

  /**
   * The events of one shard that are to be handed over now, which counts as done: those not handed over before. None when this member may
   * no longer read the shard, or not under this epoch.
   */
  take(shard: number, epoch: number, events: readonly LogEvent[]): readonly LogEvent[] {
    const cursor = this.#cursors.get(shard);
    if (cursor?.epoch !== epoch || cursor.releasingSinceMs !== null) return [];
    const fresh = events.filter(({ offset }) => offset >= cursor.next.offset);
    const last = fresh.at(-1);
    if (last) cursor.next = { offset: last.offset + 1, day: last.day };
    return fresh;
  }

  /** Skips events that no longer exist. */
  skipTo(shard: number, next: { readonly offset: number; readonly day: string }): void {
    const cursor = this.#cursors.get(shard);
    if (cursor && cursor.releasingSinceMs === null && cursor.next.offset < next.offset)
      cursor.next = { offset: next.offset, day: next.day };
  }

  /** Continues in a later generation, because no events are left before it. */
  passTo({ shard, offset, day }: ReadPoint): void {
    const cursor = this.#cursors.get(shard);
    if (!cursor || cursor.next.offset >= offset) return;
    if (cursor.recorded === cursor.next.offset) cursor.recorded = offset;
    cursor.next = { offset, day };
  }

  /** Read positions of the shards that are below an offset. */
  pointsBelow(offset: number): ReadPoint[] {
    return [...this.#cursors].filter(([, { next }]) => next.offset < offset).map(([shard, { next }]) => ({ shard, ...next }));
  }

  /** Recorded position of the shard; undefined when this member does not own it. */
  recordedOf(shard: number): number | undefined {
    return this.#cursors.get(shard)?.recorded;
  }

  recorded(position: Position): void {
    const cursor = this.#cursors.get(position.shard);
    if (cursor && cursor.epoch === position.epoch) cursor.recorded = Math.max(cursor.recorded, position.offset);
  }

  /** Stops reading that many shards. */
  startRelease(count: number, nowMs: number): void {
    for (const cursor of this.#cursors.values()) {
      if (count <= 0) return;
      if (cursor.releasingSinceMs !== null) continue;
      cursor.releasingSinceMs = nowMs;
      count -= 1;
    }
  }

  /** Stops reading these shards. */
  startReleaseOf(shards: readonly number[], nowMs: number): void {
    for (const shard of shards) {
      const cursor = this.#cursors.get(shard);
      if (cursor) cursor.releasingSinceMs ??= nowMs;
    }
  }

  isReleasing(shard: number): boolean {
    const cursor = this.#cursors.get(shard);
    return cursor !== undefined && cursor.releasingSinceMs !== null;
  }

  /** Resumes shards that were being released. */
  cancelRelease(shards: readonly number[]): void {
    for (const shard of shards) {
      const cursor = this.#cursors.get(shard);
      if (cursor) cursor.releasingSinceMs = null;
    }
  }

  /** Shards that are being released. */
  releasing(): number {
    return [...this.#cursors.values()].filter((cursor) => cursor.releasingSinceMs !== null).length;
  }

  /** Shards that can be released now: everything handed over is recorded, or the grace period is over. */
  releasable(nowMs: number, graceMs: number): number[] {
    return [...this.#cursors]
      .filter(
        ([, cursor]) =>
          cursor.releasingSinceMs !== null && (cursor.recorded >= cursor.next.offset || nowMs - cursor.releasingSinceMs > graceMs),
      )
      .map(([shard]) => shard);
  }
}
