import { AppError } from '@pulsewire/kernel';

/** A bound on the concurrent work of one process. */
export interface Slots {
  /** Waits for a slot; returns a function that releases it. Throws AppError `slots_taken` when none becomes free in time. */
  take(): Promise<() => void>;
}

/** `atOnce` slots; a caller that waits longer than `waitMs` is refused. */
export function createSlots({ atOnce, waitMs }: { readonly atOnce: number; readonly waitMs: number }): Slots {
  const waiting: (() => void)[] = [];
  let taken = 0;
  const giveBack = () => {
    const next = waiting.shift();
    if (next) next();
    else taken -= 1;
  };
  return {
    async take() {
      if (taken < atOnce) taken += 1;
      else {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        waiting.push(resolve);
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(resolve), 1);
          reject(
            new AppError({
              code: 'slots_taken',
              kind: 'unavailable',
              message: 'All slots are in use; try again later',
              retryable: true,
              retryAfterMs: waitMs,
            }),
          );
        }, waitMs);
        await promise.finally(() => clearTimeout(timer));
      }
      return giveBack;
    },
  };
}
