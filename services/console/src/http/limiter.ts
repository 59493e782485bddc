import { createHash } from 'node:crypto';
import type { Clock } from '@pulsewire/kernel';

/** Counts what is done with a link, in fixed stretches of time. Kept in the process: with several, each allows as many. */
export interface Limiter {
  /** Null: go on. Else how many seconds to wait. */
  take(token: string): number | null;
}

export interface LimiterOptions {
  readonly clock: Clock;
  readonly max: number;
  readonly perMs: number;
  /** The oldest is forgotten when there are more. */
  readonly tokensMax?: number;
}

export function createLimiter({ clock, max, perMs, tokensMax = 10_000 }: LimiterOptions): Limiter {
  const counts = new Map<string, { startedMs: number; taken: number }>();
  return {
    take(token) {
      // Of any length at the door, and not to be kept as it is.
      const key = createHash('sha256').update(token).digest('base64');
      const nowMs = clock.monotonicMs();
      const found = counts.get(key);
      if (found && nowMs - found.startedMs < perMs) {
        found.taken += 1;
        return found.taken <= max ? null : Math.ceil((found.startedMs + perMs - nowMs) / 1000);
      }
      counts.delete(key);
      counts.set(key, { startedMs: nowMs, taken: 1 });
      const oldest = counts.size > tokensMax ? counts.keys().next().value : undefined;
      if (oldest !== undefined) counts.delete(oldest);
      return null;
    },
  };
}
