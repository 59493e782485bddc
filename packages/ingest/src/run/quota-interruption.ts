import { AppError, errorCode, dayMs } from '@pulsewire/kernel';
import type { PullWindow, QuotaRule } from '@pulsewire/providers';
import { exceedsQuota, quotaInterruptions } from '../window/transitions.ts';

/** Whether a run ended for lack of quota, not because of its own requests. */
export function isQuotaInterruption(error: unknown): boolean {
  const code = errorCode(error);
  return quotaInterruptions.some((known) => known === code);
}

/**
 * The maximum number of calls of a window: for each of its days what its quota allows in a day, or the whole limit of a rule for longer
 * periods.
 */
export function callsMax(rules: readonly QuotaRule[], { startDate, endDate }: PullWindow): number {
  const days = 1 + (Date.parse(endDate) - Date.parse(startDate)) / dayMs;
  return days * Math.min(...rules.map(({ requests, perMs }) => requests * Math.max(1, dayMs / perMs)));
}

/** Thrown instead of waiting for quota: the window has used all calls that `callsMax` allows it, and other windows need the quota. */
export function exceedsQuotaError(calls: number, cause: unknown): AppError {
  return new AppError({
    code: exceedsQuota,
    kind: 'rate_limited',
    message: 'A day of this window needs more calls than the daily quota allows',
    details: { calls },
    cause,
  });
}

/** Thrown when the provider refused to continue a reading. The reading restarts; a second refusal is treated as final. */
export function staleError(cause: unknown): AppError {
  return new AppError({
    code: 'window_stale',
    kind: 'unavailable',
    retryable: true,
    message: 'The provider can no longer continue where this window was interrupted',
    cause,
  });
}
