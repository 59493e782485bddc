import { withJitter } from '@pulsewire/kernel';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Waits before each attempt, counted from the preceding failure: the example schedule of Standard Webhooks. */
export const defaultScheduleMs: readonly number[] = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** The eight attempts of the default schedule. */
export const contractScheduleMs: readonly number[] = [0, 5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

/** Each wait is longer or shorter by this share at most. */
export const jitterShare = 0.2;
const retryAfterMaxMs = 24 * hour;

/** The schedule of an endpoint: the first attempt at once, then after so many seconds each; null: the default, which is undefined here. */
export function scheduleOf(waitsSeconds: readonly number[] | null): readonly number[] | undefined {
  return waitsSeconds === null ? undefined : [0, ...waitsSeconds.map((seconds) => seconds * second)];
}

export interface RetryQuestion {
  /** Attempts made so far, at least 1. */
  readonly attempts: number;
  /** What the receiver asked for. */
  readonly retryAfterMs?: number | undefined;
  readonly scheduleMs?: readonly number[];
  readonly random?: () => number;
}

/**
 * Milliseconds until the next attempt, or null when the schedule is used up. `Retry-After` can only lengthen the wait, up to a
 * day: a receiver that always asks for one second must not burn a schedule of days within a minute.
 */
export function retryDelayMs({ attempts, retryAfterMs = 0, scheduleMs = defaultScheduleMs, random }: RetryQuestion): number | null {
  const planned = scheduleMs[attempts];
  if (planned === undefined) return null;
  return Math.max(withJitter(planned, jitterShare, random), Math.min(retryAfterMs, retryAfterMaxMs));
}
