import { exponentialDelayMs, type WakeSignal } from '@pulsewire/kernel';

const retryMs = 50;
const retryMaxMs = 2000;

/** Reads until stopped: immediately while there may be more, otherwise at the next signal or poll, and after a delay when a read failed. */
export async function runReadLoop(options: {
  readonly signal: WakeSignal;
  readonly pollMs: number;
  isStopping(): boolean;
  /** True when there may be more to read right away. */
  readOnce(): Promise<boolean>;
  onError(error: unknown): void;
}): Promise<void> {
  const { signal, pollMs } = options;
  let failures = 0;
  while (!options.isStopping()) {
    try {
      const hasMore = await options.readOnce();
      failures = 0;
      if (!hasMore) await signal.wait(pollMs);
    } catch (error) {
      options.onError(error);
      failures += 1;
      await signal.wait(exponentialDelayMs(failures, retryMs, retryMaxMs));
    }
  }
}
