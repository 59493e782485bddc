import { exponentialDelayMs, withJitter } from '@pulsewire/kernel';

const failuresMax = 10;
const openMs = 5000;
const openMaxMs = 60_000;

/**
 * Keeps an endpoint that fails again and again from costing more than a probe now and then. Closed: everything goes. Open: nothing
 * goes until its time. Half-open: one attempt at a time; a success closes it, a failure opens it for twice as long.
 */
export class Circuit {
  readonly #random: () => number;
  #failures = 0;
  #openings = 0;
  #openUntilMs = 0;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  get isClosed(): boolean {
    return this.#openings === 0;
  }

  /** When a probe may go; 0 while closed. */
  get openUntilMs(): number {
    return this.#openUntilMs;
  }

  /** Attempts that may be under way: all, none, or one. */
  limit(nowMs: number): number {
    if (this.isClosed) return Infinity;
    return nowMs >= this.#openUntilMs ? 1 : 0;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openings = 0;
    this.#openUntilMs = 0;
  }

  failed(nowMs: number): void {
    this.#failures += 1;
    // Attempts that began before it opened still come in, and say nothing new.
    if (this.#failures < failuresMax || nowMs < this.#openUntilMs) return;
    this.#openUntilMs = nowMs + withJitter(exponentialDelayMs(this.#openings, openMs, openMaxMs), 0.2, this.#random);
    this.#openings += 1;
  }
}
