import type { SimulatorClock } from '../../model/simulator-clock.ts';
import type { QuotaSpec } from '../definition/definition.ts';

export interface QuotaState {
  readonly limit: number;
  readonly remaining: number;
  /** Wall seconds until the counter starts over; at least 1. */
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
}

/** Counts requests in windows of simulated time. */
export function createQuotaCounter(clock: SimulatorClock, { requests, perSeconds }: QuotaSpec): { take(key: string): QuotaState } {
  const used = new Map<string, number>();
  const windowMs = perSeconds * 1000;
  let current = -1;
  return {
    take(key) {
      const nowMs = clock.simulatedMs();
      const window = Math.floor(nowMs / windowMs);
      if (window !== current) used.clear();
      current = window;
      const count = (used.get(key) ?? 0) + 1;
      used.set(key, count);
      const resetSeconds = Math.max(1, Math.ceil(clock.toWallMs((window + 1) * windowMs - nowMs) / 1000));
      return { limit: requests, remaining: Math.max(0, requests - count), resetSeconds, isExceeded: count > requests };
    },
  };
}
