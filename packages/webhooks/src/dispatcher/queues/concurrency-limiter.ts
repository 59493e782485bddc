import { exponentialDelayMs, withJitter } from '@pulsewire/kernel';

const startShare = 1 / 16;
const slowMs = 100;
const crowdedMs = 400;
const slowTimes = 3;
const quickestDecay = 1.001;
const pauseMs = 250;
const pauseMaxMs = 30_000;
/** Longer waits are cut to this, then probed with one attempt: `Retry-After` may have been meant for the one message. */
const requestedPauseMaxMs = 300_000;

/**
 * How many attempts an endpoint gets at once, and when it gets none for a while. The number grows by one for each full round of successes
 * and is halved by 429, 5xx and timeouts, at most once a round; it never falls below one. 429, 502, 503 and 504 rest the whole
 * endpoint, for the time in `Retry-After` (at most five minutes), else a quarter of a second and twice as long each time.
 */
export class ConcurrencyLimiter {
  readonly #max: number;
  readonly #random: () => number;
  readonly #start: number;
  #limit = 1;
  #halvedAtMs = -Infinity;
  #restsInRow = 0;
  #quickestMs = Infinity;
  #restUntilMs = 0;

  constructor(max: number, random: () => number = Math.random) {
    this.#max = max;
    this.#random = random;
    this.#start = Math.max(1, Math.floor(max * startShare));
    this.reset();
  }

  /** Resets it when the endpoint has a new address or is enabled again. */
  reset(): void {
    this.#limit = this.#start;
    this.#halvedAtMs = -Infinity;
    this.#restsInRow = 0;
    this.#quickestMs = Infinity;
    this.#restUntilMs = 0;
  }

  /** How many attempts may be in progress. */
  limit(nowMs: number): number {
    return nowMs < this.#restUntilMs ? 0 : Math.floor(this.#limit);
  }

  /** How many attempts may be in progress when it does not rest. */
  get width(): number {
    return Math.floor(this.#limit);
  }

  get restUntilMs(): number {
    return this.#restUntilMs;
  }

  /**
   * `inFlight` is the number of concurrent attempts; a limit that was not reached is not raised. When responses become slow, the limit is
   * not raised, and when they become very slow it is lowered, but not below its initial value. While this process is saturated (`isBusy`),
   * fast responses do not raise it either, because more attempts would only wait here.
   */
  succeeded(inFlight: number, durationMs: number, isBusy = false): void {
    this.#restsInRow = 0;
    // The quickest known response, forgotten slowly because endpoints change.
    this.#quickestMs = Math.min(durationMs, this.#quickestMs * quickestDecay);
    const isSlow = durationMs > slowMs && durationMs > slowTimes * this.#quickestMs;
    const helps = !isSlow && !(isBusy && durationMs <= slowMs);
    if (helps && inFlight * 2 >= this.#limit) this.#limit = Math.min(this.#max, this.#limit + 1 / this.#limit);
    else if (isSlow && durationMs > crowdedMs) this.#limit = Math.max(Math.min(this.#limit, this.#start), this.#limit - 1 / this.#limit);
  }

  /** A response or timeout that signals overload. Attempts that started before the last halving are ignored. */
  overloaded(startedAtMs: number, nowMs: number): void {
    if (startedAtMs < this.#halvedAtMs) return;
    this.#halvedAtMs = nowMs;
    this.#limit = Math.max(1, this.#limit / 2);
  }

  /** The receiver requests a pause; `retryAfterMs` as received, unbounded. */
  rest(startedAtMs: number, nowMs: number, retryAfterMs: number | undefined): void {
    if (retryAfterMs !== undefined && retryAfterMs > 0) {
      this.#restUntilMs = Math.max(this.#restUntilMs, nowMs + Math.min(retryAfterMs, requestedPauseMaxMs));
      return;
    }
    // Attempts that began before the last rest do not reflect it.
    if (startedAtMs < this.#restUntilMs) return;
    this.#restUntilMs = nowMs + withJitter(exponentialDelayMs(this.#restsInRow, pauseMs, pauseMaxMs), 0.2, this.#random);
    this.#restsInRow += 1;
  }
}

/** The load of the endpoint that a response indicates; errors on our side indicate nothing. */
export function loadSignal(status: number | null, error: string | null): 'fine' | 'overloaded' | 'resting' | 'nothing' {
  if (status === 429 || status === 502 || status === 503 || status === 504) return 'resting';
  if (status !== null) return status >= 500 ? 'overloaded' : 'fine';
  return error === 'address_blocked' || error === 'request_invalid' || error === 'aborted' || error === 'dns_failed'
    ? 'nothing'
    : 'overloaded';
}
