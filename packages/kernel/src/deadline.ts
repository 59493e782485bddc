import { sleep } from './clock.ts';

/** Resolves when the signal aborts, at once when it has. */
export function waitUntilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/**
 * The result of `work`, or what `onTimeout` returns or throws when that takes longer than `ms` or the signal aborts first. `work` is not
 * cancelled: the caller has to.
 */
export async function within<T, U>(ms: number, work: Promise<T>, onTimeout: () => U, signal?: AbortSignal): Promise<T | U> {
  const settled = new AbortController();
  const timeout = async () => {
    await sleep(ms, signal ? AbortSignal.any([settled.signal, signal]) : settled.signal);
    // After `work` has settled nobody looks at the result.
    return settled.signal.aborted ? (undefined as never) : onTimeout();
  };
  try {
    return await Promise.race([work, timeout()]);
  } finally {
    settled.abort();
  }
}
