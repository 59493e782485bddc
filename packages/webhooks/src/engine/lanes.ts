import type { Endpoint } from '../route.ts';
import { Circuit } from './circuit.ts';
import { Lane, type HeldRetries, type LaneLimits } from './lane.ts';
import type { Delivery } from './types.ts';

export interface LanesOptions extends LaneLimits {
  /** Attempts under way in the whole process: a bound on sockets. */
  readonly inFlightTotalMax: number;
  /** Monotonic milliseconds. */
  nowMs(): number;
  /** Makes the attempt; reports its end with `ended`. */
  start(delivery: Delivery, lane: Lane): void;
}

/** All lanes of a process, and whose turn it is when places are scarce. */
export class Lanes {
  readonly #options: LanesOptions;
  readonly #lanes = new Map<string, Lane>();
  /** Lanes that could start something if there were a place, in turn. */
  readonly #waiting = new Set<Lane>();
  readonly #held: HeldRetries = { count: 0 };
  #inFlight = 0;
  #isStopped = false;

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Retries that wait in memory for a place. */
  get retriesHeld(): number {
    return this.#held.count;
  }

  all(): IterableIterator<Lane> {
    return this.#lanes.values();
  }

  /** Starts nothing any more; what is under way may end. */
  stop(): void {
    this.#isStopped = true;
  }

  some(test: (lane: Lane) => boolean): boolean {
    for (const lane of this.#lanes.values()) if (test(lane)) return true;
    return false;
  }

  find(endpointId: string): Lane | undefined {
    return this.#lanes.get(endpointId);
  }

  /** The lane of an endpoint, made on first use. */
  of(endpoint: Endpoint): Lane {
    let lane = this.#lanes.get(endpoint.endpointId);
    if (lane === undefined) this.#lanes.set(endpoint.endpointId, (lane = new Lane(endpoint, this.#options, new Circuit(), this.#held)));
    return lane;
  }

  /** The routing table was read anew: lanes learn what changed, and those of endpoints that are gone start nothing more. */
  sync(endpoints: ReadonlyMap<string, Endpoint>): void {
    for (const [endpointId, lane] of this.#lanes) {
      const endpoint = endpoints.get(endpointId);
      if (endpoint !== undefined) lane.update(endpoint);
      else if (lane.isIdle) this.#lanes.delete(endpointId);
      else lane.retire();
    }
  }

  /** Starts what may start in this lane. */
  pump(lane: Lane): void {
    const { nowMs, start } = this.#options;
    const now = nowMs();
    if (this.#isStopped) return;
    while (this.#hasPlace(lane)) {
      lane.isShort = false;
      const delivery = lane.next(now);
      if (delivery === undefined) return;
      lane.started(delivery, now);
      this.#inFlight += 1;
      start(delivery, lane);
    }
    lane.isShort = true;
    this.#waiting.add(lane);
  }

  ended(delivery: Delivery, lane: Lane): void {
    lane.ended(delivery);
    this.#inFlight -= 1;
    if (this.#waiting.size === 0) return this.pump(lane);
    this.#waiting.add(lane);
    this.#giveTurns();
  }

  /** Lets lanes go on that waited for time and not for an answer: rate limits and circuits. */
  pumpAll(): void {
    for (const lane of this.#lanes.values()) this.pump(lane);
  }

  /** A lane takes no more places than it leaves free, so endpoints that hang cannot take them all; the first is everybody's. */
  #hasPlace(lane: Lane): boolean {
    const free = this.#options.inFlightTotalMax - this.#inFlight;
    return free > 0 && (lane.inFlight === 0 || lane.inFlight < free);
  }

  /** One place at a time to each waiting lane, so that a busy endpoint cannot take every free place. */
  #giveTurns(): void {
    const { inFlightTotalMax, nowMs, start } = this.#options;
    const now = nowMs();
    for (const lane of this.#waiting) {
      if (this.#isStopped || this.#inFlight >= inFlightTotalMax) return;
      if (!this.#hasPlace(lane)) continue;
      this.#waiting.delete(lane);
      const delivery = lane.next(now);
      if (delivery === undefined) continue;
      // Behind all others, for its next turn; the set keeps the order of insertion and is walked as it grows.
      this.#waiting.add(lane);
      lane.started(delivery, now);
      this.#inFlight += 1;
      start(delivery, lane);
    }
  }
}
