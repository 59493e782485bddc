/** `delayMs` changed by up to ±`share` of itself; `random` returns 0..1. */
export function withJitter(delayMs: number, share: number, random: () => number = Math.random): number {
  return Math.max(0, Math.round(delayMs * (1 + share * (2 * random() - 1))));
}

/** Exponential delay before the n-th retry (from 0), at most `maxMs`. */
export function exponentialDelayMs(repetition: number, baseMs: number, maxMs: number): number {
  return Math.min(maxMs, baseMs * 2 ** Math.min(repetition, 30));
}
