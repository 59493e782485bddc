import { exponentialDelayMs, withJitter } from '@pulsewire/kernel';

const failuresMax = 10;
/** What a failure counts of a message that has failed before: it may be refused for its own sake. */
const repeatShare = 0.1;
/** An endpoint that took something within this time is not down. */
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
 * Keeps an endpoint that fails again and again from costing more than a few probes now and then. Closed: everything goes. Open:
 * nothing goes until its time. Half-open: a few attempts, with different messages, because one that is refused for its own sake
 * says nothing of the others; a success closes it, and when all fail it is open for twice as long.
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

  /** When probes may go; 0 while closed. */
  get openUntilMs(): number {
    return this.#openUntilMs;
  }

  /** How many attempts may be in progress: any number, none, or a few. */
  limit(nowMs: number): number {
    if (this.isClosed) return Infinity;
    return nowMs >= this.#openUntilMs ? probesMax - this.#probesFailed : 0;
  }

  /**
   * How many of so many rows are to be new and hardly tried, and not those that have waited longest: among the latter are the
   * messages that have failed again and again. None while closed; both kinds have their turn.
   */
  newestOf(rows: number): number {
    return this.isClosed ? 0 : (rows + (this.#probesFailed % 2 === 0 ? 1 : 0)) >> 1;
  }

  succeeded(nowMs: number): void {
    this.reset();
    this.#succeededAtMs = nowMs;
  }

  /** Nothing is known of it: it has another address, or is enabled again. */
  reset(): void {
    this.#failures = 0;
    this.#openings = 0;
    this.#openUntilMs = 0;
    this.#probesFailed = 0;
  }

  failed({ startedAtMs, nowMs, isRepeat }: Failure): void {
    if (!this.isClosed) {
      // Attempts that began before probes may go say nothing new.
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
