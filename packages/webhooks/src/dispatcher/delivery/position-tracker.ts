import type { Position } from '@pulsewire/eventlog';
import { Fifo } from './fifo.ts';
import type { Delivery, WindowEntry } from './delivery.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The events handed over and not yet recorded, per shard in order; knows how far each shard is recorded without a gap. */
export class PositionTracker {
  readonly #shards = new Map<number, Fifo<WindowEntry>>();
  readonly #moved = new Set<number>();
  #count = 0;
  #bytes = 0;

  /** Events in the window. */
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
  add(entry: WindowEntry, deliveries: readonly Delivery[]): void {
    const mutable: Mutable<WindowEntry> = entry;
    mutable.deliveries = deliveries;
    mutable.open = deliveries.length;
    let entries = this.#shards.get(entry.shard);
    if (entries === undefined) this.#shards.set(entry.shard, (entries = new Fifo()));
    entries.push(entry);
    this.#count += 1;
    this.#bytes += entry.bytes;
    if (entry.open === 0) this.#moved.add(entry.shard);
  }

  /** One delivery less for the position to wait for. */
  release(entry: WindowEntry): void {
    const mutable: Mutable<WindowEntry> = entry;
    mutable.open -= 1;
    if (entry.open > 0 || entry.isDropped) return;
    // Only the head can move the position; the rest is found when the head goes.
    mutable.deliveries = [];
    this.#moved.add(entry.shard);
  }

  /** Whether some position has moved since they were taken last. May be true for a shard that then has not. */
  get hasMoved(): boolean {
    return this.#moved.size > 0;
  }

  /** Takes the events that are done off the heads; gives the new positions. */
  takePositions(): Position[] {
    const positions: Position[] = [];
    for (const shard of this.#moved) {
      const entries = this.#shards.get(shard);
      let last: WindowEntry | undefined;
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
  entriesOf(shard: number): Iterable<WindowEntry> {
    return this.#shards.get(shard) ?? [];
  }

  /** Forgets a shard; gives what was in its window. */
  drop(shard: number): WindowEntry[] {
    const entries = [...(this.#shards.get(shard) ?? [])];
    for (const entry of entries) {
      const mutable: Mutable<WindowEntry> = entry;
      mutable.isDropped = true;
      this.#count -= 1;
      this.#bytes -= entry.bytes;
    }
    this.#shards.delete(shard);
    this.#moved.delete(shard);
    return entries;
  }
}
