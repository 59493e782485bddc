import { AppError, type Clock } from '@pulsewire/kernel';
import { networkOf } from '@pulsewire/outbound';

/** Counts unknown keys by the address that they came from. */
export interface FailedKeys {
  /** What to answer to another unknown key from this address: nothing special, or 429 when there were too many. */
  refusal(address: string): AppError | null;
}

const windowMs = 60_000;
/** Unknown keys of one address within a minute. */
export const failuresMax = 60;
/** Addresses that are remembered; of more the oldest are forgotten. */
export const addressesMax = 10_000;

/** Whoever has one address of IPv6 has the whole /64. */
export function groupOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return plain.includes(':') ? (networkOf(`${plain.split('%', 1)[0]}/64`) ?? plain) : plain;
}

/** Each process counts by itself: with several of them an address has as many times as many failures. A valid key never asks here. */
export function createFailedKeys(clock: Clock): FailedKeys {
  const counts = new Map<string, { failures: number; readonly sinceMs: number }>();
  return {
    refusal(address) {
      const nowMs = clock.monotonicMs();
      const group = groupOf(address);
      const known = counts.get(group);
      if (known && nowMs - known.sinceMs < windowMs) {
        known.failures += 1;
        if (known.failures <= failuresMax) return null;
        return new AppError({
          code: 'too_many_failed_keys',
          kind: 'rate_limited',
          message: 'Too many unknown API keys came from this address; try again later',
          retryable: true,
          retryAfterMs: known.sinceMs + windowMs - nowMs,
        });
      }
      counts.delete(group);
      if (counts.size >= addressesMax) counts.delete(counts.keys().next().value as string);
      counts.set(group, { failures: 1, sinceMs: nowMs });
      return null;
    },
  };
}
