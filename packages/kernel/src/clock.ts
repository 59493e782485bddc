/** Time as a port, so that tests can control it. */
export interface Clock {
  /** Wall-clock time. */
  now(): Date;
  /** Monotonic milliseconds, for durations and deadlines. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};

/** A clock that moves only when a test moves it. Both readings move together. */
export function createManualClock(start: Date): Clock & { advance(ms: number): void } {
  let elapsedMs = 0;
  return {
    now: () => new Date(start.getTime() + elapsedMs),
    monotonicMs: () => elapsedMs,
    advance(ms) {
      elapsedMs += ms;
    },
  };
}

/** Resolves after `ms`, or as soon as the signal aborts (it never rejects: the caller checks the signal). */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}

/** `delayMs` changed by up to ±`share` of itself; `random` returns 0..1. */
export function withJitter(delayMs: number, share: number, random: () => number = Math.random): number {
  return Math.max(0, Math.round(delayMs * (1 + share * (2 * random() - 1))));
}

/** Exponential delay before the n-th retry (from 0), at most `maxMs`. */
export function exponentialDelayMs(repetition: number, baseMs: number, maxMs: number): number {
  return Math.min(maxMs, baseMs * 2 ** Math.min(repetition, 30));
}

/** Lengths in ms. Days of the UTC calendar have no other length; local days do. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The UTC day of an instant, `YYYY-MM-DD`. Throws RangeError for an invalid one. */
export function utcDay(at: Date | number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The day `count` days after `day`; both `YYYY-MM-DD`. */
export function addDays(day: string, count: number): string {
  return utcDay(Date.parse(`${day}T00:00:00Z`) + count * dayMs);
}
