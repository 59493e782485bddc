import type { Endpoint } from '../route.ts';
import { Circuit } from './circuit.ts';
import { Fifo } from './fifo.ts';
import { RateLimit } from './rate-limit.ts';
import type { Delivery } from './types.ts';

export interface LaneLimits {
  /** Attempts under way at one endpoint. */
  readonly inFlightMax: number;
  /** An attempt that has taken this long makes a full lane a stalled one. */
  readonly slowAfterMs: number;
  /** What an attempt may take at most: a lease must last longer than that. */
  readonly attemptMsMax: number;
}

/** Retries that wait in memory, counted over all lanes of a process. */
export interface HeldRetries {
  count: number;
}

const recentMs = 5000;
const nothing: readonly Delivery[] = [];

/** What waits for one endpoint and what is under way there. Knows when the next attempt may start, and starts none itself. */
export class Lane {
  readonly circuit: Circuit;
  readonly #limits: LaneLimits;
  readonly #held: HeldRetries;
  readonly #rate = new RateLimit();
  readonly #live = new Fifo<Delivery>();
  readonly #retries = new Fifo<Delivery>();
  /** In the order in which they started. */
  readonly #inFlight = new Set<Delivery>();
  #retriesInFlight = 0;
  #startedAtMs = -Infinity;
  #endpoint: Endpoint;
  /** Disabled, removed, or not readable: nothing is started. */
  #isShut: boolean;
  /** There was no place left for it when it last looked: it is as full as it may be. */
  isShort = false;
  /** Whether it is noted in the database that every attempt fails. */
  isFailing: boolean;

  constructor(endpoint: Endpoint, limits: LaneLimits, circuit = new Circuit(), held: HeldRetries = { count: 0 }) {
    this.#endpoint = endpoint;
    this.#limits = limits;
    this.#held = held;
    this.circuit = circuit;
    this.#isShut = !endpoint.isReadable;
    this.isFailing = endpoint.isFailing;
    this.#rate.perSecond = endpoint.rateLimit;
  }

  get endpoint(): Endpoint {
    return this.#endpoint;
  }

  /** The endpoint was changed, or is back. */
  update(endpoint: Endpoint): void {
    this.#endpoint = endpoint;
    this.#isShut = !endpoint.isReadable;
    this.#rate.perSecond = endpoint.rateLimit;
  }

  /** The endpoint was disabled or removed: nothing more is started (contract 21.2 rule 5). */
  retire(): void {
    this.#isShut = true;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  get isIdle(): boolean {
    return this.#inFlight.size === 0 && this.#live.size === 0 && this.#retries.size === 0;
  }

  /** Whether new events should become rows at once: the endpoint is known not to take them now. */
  refusesLive(nowMs: number): boolean {
    if (this.#isShut) return true;
    if (!this.circuit.isClosed) return this.circuit.limit(nowMs) <= this.#inFlight.size || this.#live.size > 0;
    return this.#isStalled(nowMs);
  }

  /** Whether what waits here waits for the endpoint and not for us: it would gain nothing by waiting longer in memory. */
  holdsBack(nowMs: number): boolean {
    return this.refusesLive(nowMs) || this.#rate.available(nowMs) < 1;
  }

  /** Whether it was busy a moment ago and has nothing to do now. */
  isStarving(nowMs: number): boolean {
    return this.isIdle && nowMs - this.#startedAtMs < recentMs;
  }

  enqueueLive(delivery: Delivery): void {
    this.#live.push(delivery);
  }

  enqueueRetry(delivery: Delivery): void {
    this.#retries.push(delivery);
    this.#held.count += 1;
  }

  /** Due rows that this lane could take over now. */
  retryRoom(nowMs: number): number {
    if (this.#isShut) return 0;
    const allowed = this.circuit.limit(nowMs);
    if (allowed !== Infinity) return Math.max(0, allowed - this.#inFlight.size - this.#retries.size - this.#live.size);
    if (this.#isStalled(nowMs)) return 0;
    const queueMax = this.#live.size > 0 ? this.#retryShare : this.#limits.inFlightMax * 2;
    // Half a queue at least: claiming row by row would cost a statement for each.
    if (this.#retries.size * 2 > queueMax) return 0;
    return Math.max(0, Math.min(queueMax - this.#retries.size, this.#rate.available(nowMs)));
  }

  /** When something may start that may not start now: the circuit's probe. */
  get readyAtMs(): number {
    return this.circuit.openUntilMs;
  }

  /** The next delivery that may start now. Live ones first; retries keep a quarter of the places when both wait. */
  next(nowMs: number): Delivery | undefined {
    if (this.#isShut) return undefined;
    for (;;) {
      const canStart = this.#inFlight.size < Math.min(this.#limits.inFlightMax, this.circuit.limit(nowMs));
      if (!canStart || this.#rate.available(nowMs) < 1) return undefined;
      const isRetryTurn = this.#live.size === 0 || this.#retriesInFlight < this.#retryShare;
      const delivery = isRetryTurn ? (this.#shiftRetry() ?? this.#live.shift()) : this.#live.shift();
      if (delivery === undefined) return undefined;
      // Parked or dropped while it waited: its place in the queue is all that is left of it.
      if (delivery.state === 'over') continue;
      if (delivery.leaseEndsAtMs - nowMs > this.#limits.attemptMsMax) return delivery;
      // It waited too long: its row falls to whoever claims next.
      delivery.state = 'over';
      delivery.hold = 'nothing';
    }
  }

  /**
   * Lets go of what may not start for a while: gives the retries, whose rows somebody is to free, and forgets what was parked,
   * whose place in the queue would keep its body. Nothing while attempts may start.
   */
  letGo(nowMs: number): readonly Delivery[] {
    if (!this.#isShut && this.circuit.limit(nowMs) > 0) return nothing;
    while (this.#live.peek()?.state === 'over') this.#live.shift();
    const retries: Delivery[] = [];
    for (let retry = this.#shiftRetry(); retry !== undefined; retry = this.#shiftRetry()) retries.push(retry);
    return retries;
  }

  started(delivery: Delivery, nowMs: number): void {
    delivery.state = 'inFlight';
    delivery.startedAtMs = nowMs;
    this.#startedAtMs = nowMs;
    this.#inFlight.add(delivery);
    if (delivery.entry === null) this.#retriesInFlight += 1;
    this.#rate.take();
  }

  ended(delivery: Delivery): void {
    delivery.state = 'over';
    this.#inFlight.delete(delivery);
    if (delivery.entry === null) this.#retriesInFlight -= 1;
  }

  /** Everything that this lane holds, under way first. */
  *deliveries(): IterableIterator<Delivery> {
    yield* this.#inFlight;
    for (const queue of [this.#live, this.#retries]) {
      for (const delivery of queue) if (delivery.state === 'queued') yield delivery;
    }
  }

  #shiftRetry(): Delivery | undefined {
    const delivery = this.#retries.shift();
    if (delivery !== undefined) this.#held.count -= 1;
    return delivery;
  }

  get #retryShare(): number {
    return Math.max(1, this.#limits.inFlightMax >> 2);
  }

  #isStalled(nowMs: number): boolean {
    if (!this.isShort && this.#inFlight.size < this.#limits.inFlightMax) return false;
    const [oldest] = this.#inFlight;
    return oldest !== undefined && nowMs - oldest.startedAtMs > this.#limits.slowAfterMs;
  }
}
