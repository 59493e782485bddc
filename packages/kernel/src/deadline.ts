import { sleep } from './clock.ts';

/** Resolves when the signal aborts; immediately when it already has. */
export function waitUntilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/**
 * The result of `work`. When it takes longer than `ms` or the signal aborts first: the result or error of `onTimeout`. `work` is not
 * cancelled; the caller must do that.
 */
export async function within<T, U>(ms: number, work: Promise<T>, onTimeout: () => U, signal?: AbortSignal): Promise<T | U> {
  const settled = new AbortController();
  const timeout = async () => {
    await sleep(ms, signal ? AbortSignal.any([settled.signal, signal]) : settled.signal);
    // After `work` has settled the result is ignored.
    return settled.signal.aborted ? (undefined as never) : onTimeout();
  };
  try {
    return await Promise.race([work, timeout()]);
  } finally {
    settled.abort();
  }
}
