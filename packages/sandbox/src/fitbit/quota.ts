import type { SimulatorClock } from '../simulator-clock.ts';

const hourMs = 3_600_000;

export interface QuotaState {
  readonly limit: number;
  readonly remaining: number;
  /** Until the top of the simulated hour, in wall-clock seconds: the time in which the caller waits. At least 1. */
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
}

/** Requests an hour for each user and application; all counters start over at the top of the simulated hour. */
export interface Quota {
  take(clientId: string, ownerId: string): QuotaState;
}

export function createQuota(clock: SimulatorClock, limit: number): Quota {
  const used = new Map<string, number>();
  let currentHour = 0;
  return {
    take(clientId, ownerId) {
      const nowMs = clock.simulatedMs();
      const hour = Math.floor(nowMs / hourMs);
      if (hour !== currentHour) used.clear();
      currentHour = hour;
      const key = `${clientId} ${ownerId}`;
      const count = (used.get(key) ?? 0) + 1;
      used.set(key, Math.min(count, limit + 1));
      const resetSeconds = Math.max(1, Math.ceil(clock.toWallMs((hour + 1) * hourMs - nowMs) / 1000));
      return { limit, remaining: Math.max(0, limit - count), resetSeconds, isExceeded: count > limit };
    },
  };
}

/** The documented headers; on a refusal `Retry-After` too. */
export function quotaHeaders(state: QuotaState): Record<string, string> {
  return {
    'Fitbit-Rate-Limit-Limit': String(state.limit),
    'Fitbit-Rate-Limit-Remaining': String(state.remaining),
    'Fitbit-Rate-Limit-Reset': String(state.resetSeconds),
    ...(state.isExceeded && { 'Retry-After': String(state.resetSeconds) }),
  };
}
