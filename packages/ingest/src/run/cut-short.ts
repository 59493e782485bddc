import { AppError, errorCode } from '@pulsewire/kernel';
import type { PullWindow, QuotaRule } from '@pulsewire/providers';
import { cutCodes, exceedsQuota } from '../model/cut-codes.ts';

const dayMs = 86_400_000;

/** Whether a run ended for lack of quota, and not for what it asked. */
export function isCutShort(error: unknown): boolean {
  const code = errorCode(error);
  return cutCodes.some((known) => known === code);
}

/** Calls that a window may cost at most: for each of its days what its quota gives in a day, of a rule for longer all that it gives. */
export function callsMax(rules: readonly QuotaRule[], { startDate, endDate }: PullWindow): number {
  const days = 1 + (Date.parse(endDate) - Date.parse(startDate)) / dayMs;
  return days * Math.min(...rules.map(({ requests, perMs }) => requests * Math.max(1, dayMs / perMs)));
}

/** Thrown in place of waiting: the window has asked for so much that nobody should wait for its end. */
export function exceedsQuotaError(calls: number, cause: unknown): AppError {
  return new AppError({
    code: exceedsQuota,
    kind: 'rate_limited',
    message: 'A day of this window needs more calls than its quota gives in a day',
    details: { calls },
    cause,
  });
}

/** Thrown when the provider refused to go on with a reading: it is begun anew, and the refusal believed when it comes again. */
export function staleError(cause: unknown): AppError {
  return new AppError({
    code: 'window_stale',
    kind: 'unavailable',
    retryable: true,
    message: 'The provider does not go on where this window was cut short',
    cause,
  });
}
