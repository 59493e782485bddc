import { Fifo } from '../delivery/fifo.ts';
import type { Delivery, DeliveryKind } from '../delivery/delivery.ts';
import { isOver } from '../delivery/delivery-state.ts';

/** Claimed rows that wait in memory, counted over all endpoint queues of a process. */
export type HeldRows = Record<'retry' | 'replay', number>;

/** While others wait, one in this many starts goes to a retry or to a replay. */
const startsPerRetry = 4;
const startsPerReplay = 16;

/** What waits for one endpoint, in three queues: live first, then retries, then replays. */
export class KindQueues {
  readonly live = new Fifo<Delivery>();
  readonly #retries = new Fifo<Delivery>();
  readonly #replays = new Fifo<Delivery>();
  readonly #held: HeldRows;
  /** Starts since the last one of its kind. */
  readonly #since = { retry: startsPerRetry, replay: startsPerReplay };

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
    if (delivery.kind === 'live') return this.live.push(delivery);
    (delivery.kind === 'retry' ? this.#retries : this.#replays).push(delivery);
    this.#held[delivery.kind] += 1;
  }

  /** Drops live deliveries at the head that were parked or dropped, because queue entries retain their bodies. */
  forgetOver(): void {
    for (let head = this.live.peek(); head !== undefined && isOver(head); head = this.live.peek()) this.live.shift();
  }

  /**
   * The next to start. While live ones wait, retries have a quarter of the starts and of the places, and replays a sixteenth and
   * one, so that none starves. Starts count too, because with a rate limit or a single place few attempts are in progress.
   */
  shift(places: number, inFlight: Readonly<Record<DeliveryKind, number>>): Delivery | undefined {
    this.forgetOver();
    const kind = this.#nextKind(places, inFlight);
    this.#since.retry = kind === 'retry' ? 1 : this.#since.retry + 1;
    this.#since.replay = kind === 'replay' ? 1 : this.#since.replay + 1;
    return kind === 'live' ? this.live.shift() : this.#shiftRow(kind);
  }

  #nextKind(places: number, inFlight: Readonly<Record<DeliveryKind, number>>): DeliveryKind {
    const [hasLive, hasRetry, hasReplay] = [this.live.size > 0, this.#retries.size > 0, this.#replays.size > 0];
    if (hasReplay && ((!hasLive && !hasRetry) || (inFlight.replay === 0 && this.#since.replay >= startsPerReplay))) return 'replay';
    if (!hasRetry) return 'live';
    const isRetryTurn = this.#since.retry >= startsPerRetry && inFlight.retry < Math.max(1, places >> 2);
    return !hasLive || isRetryTurn ? 'retry' : 'live';
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
