/** Time as a port: code that reads the hour takes one of these, so that a test can turn it. */
export interface Clock {
  /** Wall-clock time. */
  now(): Date;
  /** Milliseconds that only grow; for durations and deadlines. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};

/** A clock that stands still until a test moves it. Both readings move together. */
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

/** Resolves after `ms`, or at once when the signal aborts (it never rejects: the caller looks at the signal). */
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
