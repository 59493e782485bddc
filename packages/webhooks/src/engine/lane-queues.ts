import { Fifo } from './fifo.ts';
import type { Delivery, LaneKind } from './types.ts';

/** Claimed rows that wait in memory, counted over all lanes of a process. */
export type HeldRows = Record<'retry' | 'replay', number>;

/** What waits for one endpoint, in three lanes: live first, then retries, then replays. */
export class LaneQueues {
  readonly live = new Fifo<Delivery>();
  readonly #retries = new Fifo<Delivery>();
  readonly #replays = new Fifo<Delivery>();
  readonly #held: HeldRows;

  constructor(held: HeldRows) {
    this.#held = held;
  }

  get isEmpty(): boolean {
    return this.live.size === 0 && this.rows === 0;
  }

  get rows(): number {
    return this.#retries.size + this.#replays.size;
  }

  size(kind: 'retry' | 'replay'): number {
    return (kind === 'retry' ? this.#retries : this.#replays).size;
  }

  push(delivery: Delivery): void {
    if (delivery.lane === 'live') return this.live.push(delivery);
    (delivery.lane === 'retry' ? this.#retries : this.#replays).push(delivery);
    this.#held[delivery.lane] += 1;
  }

  /**
   * The next in turn. While live ones wait, retries have a quarter of the places and replays one, so that nobody waits for ever.
   */
  shift(places: number, underWay: Readonly<Record<LaneKind, number>>): Delivery | undefined {
    if (underWay.replay === 0 && places > 2 && this.#replays.size > 0) return this.#shiftRow('replay');
    const isRetryTurn = this.live.size === 0 || underWay.retry < Math.max(1, places >> 2);
    if (isRetryTurn && this.#retries.size > 0) return this.#shiftRow('retry');
    return this.live.shift() ?? this.#shiftRow('replay');
  }

  /** Takes out all claimed rows. */
  takeRows(): Delivery[] {
    const rows: Delivery[] = [];
    for (const kind of ['retry', 'replay'] as const)
      for (let row = this.#shiftRow(kind); row !== undefined; row = this.#shiftRow(kind)) rows.push(row);
    return rows;
  }

  *[Symbol.iterator](): IterableIterator<Delivery> {
    yield* this.live;
    yield* this.#retries;
    yield* this.#replays;
  }

  #shiftRow(kind: 'retry' | 'replay'): Delivery | undefined {
    const delivery = (kind === 'retry' ? this.#retries : this.#replays).shift();
    if (delivery !== undefined) this.#held[kind] -= 1;
    return delivery;
  }
}
