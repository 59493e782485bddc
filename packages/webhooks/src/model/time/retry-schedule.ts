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

/** Jitter: each wait varies by at most this share. */
export const jitterShare = 0.2;
const retryAfterMaxMs = 24 * hour;

/**
 * Converts an endpoint's waits in seconds to a schedule that begins with an immediate attempt; undefined for null, the default schedule.
 */
export function scheduleOf(waitsSeconds: readonly number[] | null): readonly number[] | undefined {
  return waitsSeconds === null ? undefined : [0, ...waitsSeconds.map((seconds) => seconds * second)];
}

export interface RetryQuestion {
  /** Attempts made so far, at least 1. */
  readonly attempts: number;
  /** The response's `Retry-After`. */
  readonly retryAfterMs?: number | undefined;
  readonly scheduleMs?: readonly number[];
  readonly random?: () => number;
}

/**
 * Milliseconds until the next attempt, or null when the schedule is used up. `Retry-After` can only lengthen the wait, up to a day: a
 * receiver that always sends one second must not use up a schedule of days within a minute.
 */
export function retryDelayMs({ attempts, retryAfterMs = 0, scheduleMs = defaultScheduleMs, random }: RetryQuestion): number | null {
  const planned = scheduleMs[attempts];
  if (planned === undefined) return null;
  return Math.max(withJitter(planned, jitterShare, random), Math.min(retryAfterMs, retryAfterMaxMs));
}
