import { AppError, isAppError } from '@pulsewire/kernel';

const quotaSpent = 'provider_quota_spent';

/** Thrown instead of a call for which no quota is left. `scope`: whose quota it is; `isInterrupted`: calls were made before. */
export function quotaSpentError(scope: 'app' | 'user', freeInMs: number, isInterrupted: boolean): AppError {
  return new AppError({
    code: quotaSpent,
    kind: 'rate_limited',
    message: 'No quota is left for this call',
    retryable: true,
    retryAfterMs: freeInMs,
    details: { scope, isInterrupted },
  });
}

/** Whose quota is spent, and for how long, when that caused the failure; null for any other failure. */
export function readSpent(
  error: unknown,
): { readonly scope: 'app' | 'user'; readonly freeInMs: number; readonly isInterrupted: boolean } | null {
  if (!isAppError(error) || error.code !== quotaSpent) return null;
  return {
    scope: error.details['scope'] === 'user' ? 'user' : 'app',
    freeInMs: error.retryAfterMs ?? 0,
    isInterrupted: error.details['isInterrupted'] === true,
  };
}
