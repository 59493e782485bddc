import { createHash } from 'node:crypto';
import type { Clock } from '@pulsewire/kernel';

/** Limits requests per link token in fixed windows. Counted in the process: each of several processes allows the full limit. */
export interface Limiter {
  /** Null when allowed; else the seconds to wait. */
  take(token: string): number | null;
}

export interface LimiterOptions {
  readonly clock: Clock;
  readonly max: number;
  readonly perMs: number;
  /** Tokens counted at once; the oldest is dropped. */
  readonly tokensMax?: number;
}

export function createLimiter({ clock, max, perMs, tokensMax = 10_000 }: LimiterOptions): Limiter {
  const counts = new Map<string, { startedMs: number; taken: number }>();
  return {
    take(token) {
      // A token may have any length, and must not be kept in plain text.
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
