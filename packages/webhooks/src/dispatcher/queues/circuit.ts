import { exponentialDelayMs, withJitter } from '@pulsewire/kernel';

const failuresMax = 10;
/** Weight of a failure of a message that has failed before, because that message itself may be the cause. */
const repeatShare = 0.1;
/** An endpoint that accepted a message within this time is not down. */
const aliveMs = 2000;
const openMs = 1000;
const openMaxMs = 30_000;
const probesMax = 4;

/** An attempt that failed; times in monotonic milliseconds. */
export interface Failure {
  readonly startedAtMs: number;
  readonly nowMs: number;
  /** The endpoint responded, and the message had failed before. */
  readonly isRepeat: boolean;
}

/**
 * Circuit breaker: limits an endpoint that keeps failing to a few occasional probes. Closed: all attempts may start. Open: none until the
 * probe time. Half-open: a few attempts with different messages, because a message may be rejected for its content; one success closes the
 * circuit, and if all fail it stays open twice as long.
 */
export class Circuit {
  readonly #random: () => number;
  #failures = 0;
  #openings = 0;
  #openUntilMs = 0;
  #probesFailed = 0;
  #succeededAtMs = -Infinity;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  get isClosed(): boolean {
    return this.#openings === 0;
  }

  /** When probes may start; 0 while closed. */
  get openUntilMs(): number {
    return this.#openUntilMs;
  }

  /** How many attempts may be in progress: any number, none, or a few. */
  limit(nowMs: number): number {
    if (this.isClosed) return Infinity;
    return nowMs >= this.#openUntilMs ? probesMax - this.#probesFailed : 0;
  }

  /**
   * How many of the given number of rows should be the newest with the fewest attempts, instead of the longest waiting, which include
   * messages that fail repeatedly. None while closed; otherwise both kinds are probed.
   */
  newestOf(rows: number): number {
    return this.isClosed ? 0 : (rows + (this.#probesFailed % 2 === 0 ? 1 : 0)) >> 1;
  }

  succeeded(nowMs: number): void {
    this.reset();
    this.#succeededAtMs = nowMs;
  }

  /** Resets it when the endpoint has a new address or is enabled again. */
  reset(): void {
    this.#failures = 0;
    this.#openings = 0;
    this.#openUntilMs = 0;
    this.#probesFailed = 0;
  }

  failed({ startedAtMs, nowMs, isRepeat }: Failure): void {
    if (!this.isClosed) {
      // Attempts that started before the probes carry no new information.
      if (startedAtMs < this.#openUntilMs) return;
      this.#probesFailed += 1;
      if (this.#probesFailed < probesMax) return;
    } else {
      this.#failures += isRepeat ? repeatShare : 1;
      if (this.#failures < failuresMax || nowMs - this.#succeededAtMs < aliveMs) return;
    }
    this.#openUntilMs = nowMs + withJitter(exponentialDelayMs(this.#openings, openMs, openMaxMs), 0.2, this.#random);
    this.#openings += 1;
    this.#probesFailed = 0;
  }
}
