import type { Endpoint } from '../../routing/route.ts';
import { Circuit } from './circuit.ts';
import { KindQueues, type HeldRows } from './kind-queues.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { RateLimit } from './rate-limit.ts';
import type { HostPlace } from './hosts.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { expireDelivery, finishAttempt, isOver, isQueued, startAttempt } from '../delivery/delivery-state.ts';

export interface QueueLimits {
  /** Upper bound of attempts in progress at one endpoint; the concurrency limiter finds the actual limit. */
  readonly inFlightMax: number;
  /** A full queue counts as stalled when an attempt has taken this long. */
  readonly slowAfterMs: number;
  /** What an attempt may take at most: a lease must last longer than that. */
  readonly attemptMsMax: number;
}

const recentMs = 5000;
const nothing: readonly Delivery[] = [];

/** Deliveries that wait for one endpoint and those in progress there. Decides when the next attempt may start, but starts none itself. */
export class EndpointQueue {
  readonly circuit: Circuit;
  readonly limiter: ConcurrencyLimiter;
  readonly #limits: QueueLimits;
  readonly #rate = new RateLimit();
  readonly #queues: KindQueues;
  /** In the order in which they started. */
  readonly #inFlight = new Set<Delivery>();
  readonly #inFlightByKind = { live: 0, retry: 0, replay: 0 };
  #startedAtMs = -Infinity;
  #endpoint: Endpoint;
  /** Nothing starts: the endpoint is disabled, removed or unreadable. */
  #isShut = false;
  /** It found no free place at its last check. */
  isShort = false;
  /** The queue's share of its host; undefined when the host has no bound. */
  place: HostPlace<EndpointQueue> | undefined;

  constructor(endpoint: Endpoint, limits: QueueLimits, circuit = new Circuit(), held: HeldRows = { retry: 0, replay: 0 }) {
    this.#endpoint = endpoint;
    this.#limits = limits;
    this.circuit = circuit;
    this.limiter = new ConcurrencyLimiter(limits.inFlightMax);
    this.#queues = new KindQueues(held);
    this.update(endpoint, 1);
  }

  get endpoint(): Endpoint {
    return this.#endpoint;
  }

  /** The endpoint changed or is back, or the number of dispatchers that share the rate limit changed. */
  update(endpoint: Endpoint, members: number): void {
    // Failures at another address, or from before it was enabled again, must not hold back deliveries now.
    if (endpoint.url !== this.#endpoint.url || (this.#isShut && endpoint.isReadable)) {
      this.circuit.reset();
      this.limiter.reset();
    }
    this.#endpoint = endpoint;
    this.#isShut = !endpoint.isReadable;
    this.#rate.perSecond = endpoint.rateLimit === null ? null : endpoint.rateLimit / members;
  }

  /** The endpoint was disabled or removed; nothing more starts. */
  retire(): void {
    this.#isShut = true;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  get isIdle(): boolean {
    return this.#inFlight.size === 0 && this.#queues.isEmpty;
  }

  /** Whether new events should become rows at once, because the endpoint does not accept them at present. */
  refusesLive(nowMs: number): boolean {
    if (this.#isShut || this.limiter.restUntilMs - nowMs > this.#limits.slowAfterMs) return true;
    if (!this.circuit.isClosed) return this.circuit.limit(nowMs) <= this.#inFlight.size || this.#queues.live.size > 0;
    return this.#isStalled(nowMs);
  }

  /** Whether deliveries wait for the endpoint and not for us, so that keeping them in memory has no benefit. */
  holdsBack(nowMs: number): boolean {
    return this.refusesLive(nowMs) || this.limiter.limit(nowMs) === 0 || this.#rate.available(nowMs) < 1;
  }

  /** Whether it was busy a moment ago and has nothing to do now. */
  isStarving(nowMs: number): boolean {
    return this.isIdle && nowMs - this.#startedAtMs < recentMs;
  }

  enqueue(delivery: Delivery): void {
    this.#queues.push(delivery);
  }

  /** Due rows of a kind that this queue could take over now. */
  capacity(kind: 'retry' | 'replay', nowMs: number): number {
    if (this.#isShut) return 0;
    const width = this.limiter.limit(nowMs);
    const allowed = Math.min(width, this.circuit.limit(nowMs));
    if (allowed <= 1 || !this.circuit.isClosed)
      return Math.max(0, allowed - this.#inFlight.size - this.#queues.rows - this.#queues.live.size);
    if (this.#isStalled(nowMs)) return 0;
    const isBehindOthers = this.#queues.live.size > 0 || (kind === 'replay' && this.#queues.size('retry') > 0);
    const queueMax = isBehindOthers ? Math.max(1, width >> 2) : width * 2;
    const queued = this.#queues.size(kind);
    // At least half a queue, because claiming row by row would cost a statement each.
    if (queued * 2 > queueMax) return 0;
    return Math.max(0, Math.min(queueMax - queued, this.#rate.available(nowMs)));
  }

  /** When blocked deliveries may start: at the circuit's probes or the end of a rest. */
  get readyAtMs(): number {
    return Math.max(this.circuit.openUntilMs, this.limiter.restUntilMs);
  }

  /** The next delivery that may start now. */
  next(nowMs: number): Delivery | undefined {
    if (this.#isShut) return undefined;
    for (;;) {
      const places = Math.min(this.limiter.limit(nowMs), this.circuit.limit(nowMs));
      if (this.#inFlight.size >= places || this.#rate.available(nowMs) < 1) return undefined;
      const delivery = this.#queues.shift(places, this.#inFlightByKind);
      if (delivery === undefined) return undefined;
      // Parked or dropped while it waited, so only its queue entry remains.
      if (isOver(delivery)) continue;
      if (delivery.leaseEndsAtMs - nowMs > this.#limits.attemptMsMax) return delivery;
      // It waited too long: another dispatcher may claim its row.
      expireDelivery(delivery);
    }
  }

  /**
   * Drops parked deliveries and those that may not start for a while; returns their claimed rows, which the caller must free. Returns none
   * while attempts may start, except when memory for rows is short and attempts hang.
   */
  releaseClaims(nowMs: number, isShortOfRoom = false): readonly Delivery[] {
    this.#queues.forgetOver();
    const mayStart = !this.#isShut && this.circuit.limit(nowMs) > 0 && this.limiter.limit(nowMs) > 0;
    if (mayStart && !(isShortOfRoom && this.#isStalled(nowMs))) return nothing;
    return this.#queues.takeRows();
  }

  started(delivery: Delivery, nowMs: number): void {
    startAttempt(delivery, nowMs);
    this.#startedAtMs = nowMs;
    this.#inFlight.add(delivery);
    this.#inFlightByKind[delivery.kind] += 1;
    this.#rate.take();
  }

  ended(delivery: Delivery): void {
    finishAttempt(delivery);
    this.#inFlight.delete(delivery);
    this.#inFlightByKind[delivery.kind] -= 1;
  }

  /** Attempts that began at this time or before it. */
  inFlightSince(startedUntilMs: number): readonly Delivery[] {
    const [oldest] = this.#inFlight;
    if (oldest === undefined || oldest.startedAtMs > startedUntilMs) return nothing;
    return [...this.#inFlight].filter(({ startedAtMs }) => startedAtMs <= startedUntilMs);
  }

  attemptsInFlight(): Iterable<Delivery> {
    return this.#inFlight;
  }

  /** All deliveries of this queue, those in progress first. */
  *deliveries(): IterableIterator<Delivery> {
    yield* this.#inFlight;
    for (const delivery of this.#queues) if (isQueued(delivery)) yield delivery;
  }

  #isStalled(nowMs: number): boolean {
    if (!this.isShort && this.#inFlight.size < this.limiter.width) return false;
    const [oldest] = this.#inFlight;
    return oldest !== undefined && nowMs - oldest.startedAtMs > this.#limits.slowAfterMs;
  }
}
