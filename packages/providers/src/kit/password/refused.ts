import type { RefreshOutcome } from '../types/oauth.ts';
import { readRetryAfterMs } from '../http/retry-after.ts';
import type { LoginAnswer } from '../types/http.ts';
import type { RefusedLogin } from '../types/password.ts';

/** A login that came to nothing; the text is for developers. */
export function refusedLogin(errorType: RefusedLogin['errorType'], message: string): RefusedLogin {
  return { kind: 'refused', errorType, message };
}

/** An answer that is neither a login nor a refusal of one: an overload, a page that blocks robots, another shape than known. */
export function unclearLogin(provider: string, { status, body }: Pick<LoginAnswer, 'status' | 'body'>): RefusedLogin {
  const what = body === undefined ? 'something other than JSON' : 'an answer that we do not know';
  return refusedLogin('provider_api_error', `${provider} gave ${what} (HTTP ${status})`);
}

/** Kept credentials that the provider does not take any more; not final, for an overloaded provider says the same now and then. */
export const refusedRenewal: RefreshOutcome = { outcome: 'refused', errorType: 'provider_credential_error', isFinal: false };

/** The provider wants something that only the user can give: a code, another password. */
export function endedRenewal(errorType: Extract<RefreshOutcome, { outcome: 'refused' }>['errorType']): RefreshOutcome {
  return { outcome: 'refused', errorType, isFinal: true };
}

/** A renewal of which nobody can say what became of it: it is tried again, the connection stays. */
export function unclearRenewal(answer: Pick<LoginAnswer, 'status' | 'headers'>, reason = `http_${answer.status}`): RefreshOutcome {
  const retryAfterMs = readRetryAfterMs(answer.headers);
  return { outcome: 'unclear', retryable: true, reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}
