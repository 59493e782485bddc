import { classifyByStatus } from '../kit/connector-defaults.ts';
import { readRetryAfterMs } from '../kit/http/provider-retry-after.ts';
import type { JudgedResponse, ProviderVerdict } from '../kit/types/connector.ts';
import { readStanding } from './sign-in/login.ts';

/** The status in the body of a response that names the lowest version of the app. */
const appTooOld = 920;

/** Not a registered status; one thread of users has met it as a limit. It has no body and states no delay. */
const tooMany = 430;
const tooManyMs = 30 * 60_000;

/**
 * 403: Abbott requires a newer app version, which the operator sets, or its bot protection blocks us. Neither ends soon.
 */
export function classifyLibreview(response: JudgedResponse): ProviderVerdict {
  if (response.status === tooMany) return { code: 'provider_rate_limited', retryAfterMs: readRetryAfterMs(response.headers) ?? tooManyMs };
  if (response.status === 403 && hasStatus(response.body, appTooOld))
    return { code: 'provider_configuration', details: { reason: 'app_version' } };
  return response.status === 403 ? { code: 'provider_account_state' } : classifyByStatus(response);
}

/** Finds errors in responses with status 200, by the `status` in the body. */
export function findLibreviewRefusal(response: JudgedResponse): ProviderVerdict | null {
  const standing = readStanding(response);
  switch (standing.kind) {
    case 'refused':
      return { code: 'provider_token_expired' };
    case 'locked':
      return { code: 'provider_rate_limited', retryAfterMs: standing.retryAfterMs };
    case 'step':
      return { code: 'provider_account_state' };
    case 'in':
    case 'elsewhere':
    case 'unclear':
      return hasStatus(response.body, 4) ? { code: 'provider_account_state' } : null;
  }
}

function hasStatus(body: unknown, status: number): boolean {
  return typeof body === 'object' && body !== null && 'status' in body && body.status === status;
}
