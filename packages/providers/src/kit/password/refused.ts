import type { RefreshOutcome } from '../types/oauth.ts';
import { readRetryAfterMs } from '../http/provider-retry-after.ts';
import type { LoginResponse } from '../types/http.ts';
import type { RefusedLogin } from '../types/password.ts';

/** A failed login; the message is for developers. */
export function refusedLogin(errorType: RefusedLogin['errorType'], message: string): RefusedLogin {
  return { kind: 'refused', errorType, message };
}

/** A response that is neither a login nor a refusal: an overload, a page that blocks bots, or an unknown shape. */
export function unclearLogin(provider: string, { status, body }: Pick<LoginResponse, 'status' | 'body'>): RefusedLogin {
  const what = body === undefined ? 'something other than JSON' : 'an unknown response';
  return refusedLogin('provider_api_error', `${provider} returned ${what} (HTTP ${status})`);
}

/** Stored credentials that the provider rejects. Not final, because overloaded providers sometimes refuse valid ones. */
export const refusedRenewal: RefreshOutcome = { outcome: 'refused', errorType: 'provider_credential_error', isFinal: false };

/** The provider requires something that only the user can supply: a code or a new password. */
export function endedRenewal(errorType: Extract<RefreshOutcome, { outcome: 'refused' }>['errorType']): RefreshOutcome {
  return { outcome: 'refused', errorType, isFinal: true };
}

/** A renewal with an unknown outcome: it is retried and the connection stays. */
export function unclearRenewal(response: Pick<LoginResponse, 'status' | 'headers'>, reason = `http_${response.status}`): RefreshOutcome {
  const retryAfterMs = readRetryAfterMs(response.headers);
  return { outcome: 'unclear', retryable: true, reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}
