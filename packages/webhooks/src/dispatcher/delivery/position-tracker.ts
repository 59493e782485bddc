import type { Position } from '@pulsewire/eventlog';
import { Fifo } from './fifo.ts';
import type { Delivery, UnrecordedEvent } from './delivery.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Tracks the events that are not recorded yet, per shard in order, and how far each shard is recorded without a gap. */
export class PositionTracker {
  readonly #shards = new Map<number, Fifo<UnrecordedEvent>>();
  readonly #moved = new Set<number>();
  #count = 0;
  #bytes = 0;

  /** Unrecorded events. */
  get count(): number {
    return this.#count;
  }

  /** Bytes of their bodies. */
  get bytes(): number {
    return this.#bytes;
  }

  get shards(): Iterable<number> {
    return this.#shards.keys();
  }

  /** Entries of a shard must come in the order of their offsets. The position waits for all of the deliveries. */
  add(entry: UnrecordedEvent, deliveries: readonly Delivery[]): void {
    const mutable: Mutable<UnrecordedEvent> = entry;
    mutable.deliveries = deliveries;
    mutable.open = deliveries.length;
    let entries = this.#shards.get(entry.shard);
    if (entries === undefined) this.#shards.set(entry.shard, (entries = new Fifo()));
    entries.push(entry);
    this.#count += 1;
    this.#bytes += entry.bytes;
    if (entry.open === 0) this.#moved.add(entry.shard);
  }

  /** The position waits for one delivery less. */
  release(entry: UnrecordedEvent): void {
    const mutable: Mutable<UnrecordedEvent> = entry;
    mutable.open -= 1;
    if (entry.open > 0 || entry.isDropped) return;
    // Only the head can advance the position; later entries are checked once the head is done.
    mutable.deliveries = [];
    this.#moved.add(entry.shard);
  }

  /** Whether any position may have moved since positions were last taken; can be a false positive. */
  get hasMoved(): boolean {
    return this.#moved.size > 0;
  }

  /** Removes finished events from the heads; returns the new positions. */
  takePositions(): Position[] {
    const positions: Position[] = [];
    for (const shard of this.#moved) {
      const entries = this.#shards.get(shard);
      let last: UnrecordedEvent | undefined;
      for (let head = entries?.peek(); head !== undefined && head.open === 0; head = entries?.peek()) {
        entries?.shift();
        this.#count -= 1;
        this.#bytes -= head.bytes;
        last = head;
      }
      if (last !== undefined) positions.push({ shard, offset: last.offset + 1, day: last.day, epoch: last.epoch });
    }
    this.#moved.clear();
    return positions;
  }

  /** Entries of a shard, oldest first. */
  entriesOf(shard: number): Iterable<UnrecordedEvent> {
    return this.#shards.get(shard) ?? [];
  }

  /** Drops a shard; returns its unrecorded events. */
  drop(shard: number): UnrecordedEvent[] {
    const entries = [...(this.#shards.get(shard) ?? [])];
    for (const entry of entries) {
      const mutable: Mutable<UnrecordedEvent> = entry;
      mutable.isDropped = true;
      this.#count -= 1;
      this.#bytes -= entry.bytes;
    }
    this.#shards.delete(shard);
    this.#moved.delete(shard);
    return entries;
  }
}
