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
