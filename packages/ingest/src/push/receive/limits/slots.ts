import { AppError } from '@pulsewire/kernel';
import { E_TIMEOUT, Semaphore, withTimeout } from 'async-mutex';

/** A bound on the concurrent work of one process. */
export interface Slots {
  /** Waits for a slot; returns a function that releases it. Throws AppError `push_capacity_exceeded` when none becomes free in time. */
  take(): Promise<() => void>;
}

/** `atOnce` slots; a caller that waits longer than `waitMs` is refused. */
export function createSlots({ atOnce, waitMs }: { readonly atOnce: number; readonly waitMs: number }): Slots {
  const semaphore = withTimeout(new Semaphore(atOnce), waitMs);
  return {
    async take() {
      try {
        const [, release] = await semaphore.acquire();
        return release;
      } catch (error) {
        if (error !== E_TIMEOUT) throw error;
        const message = 'All slots are in use; try again later';
        throw new AppError({ code: 'push_capacity_exceeded', kind: 'unavailable', message, retryable: true, retryAfterMs: waitMs });
      }
    },
  };
}
