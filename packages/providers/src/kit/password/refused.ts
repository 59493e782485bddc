import type { RefreshOutcome } from '../types/oauth.ts';
import { readRetryAfterMs } from '../retry-after.ts';
import type { LoginAnswer } from '../types/http.ts';
import type { RefusedLogin } from './types.ts';

/** A login that came to nothing; the text is for developers. */
export function refusedLogin(errorType: RefusedLogin['errorType'], message: string): RefusedLogin {
  return { kind: 'refused', errorType, message };
}

/** An answer that is neither a login nor a refusal of one: an overload, a page that blocks robots, another shape than known. */
export function unclearLogin(provider: string, { status, body }: Pick<LoginAnswer, 'status' | 'body'>): RefusedLogin {
  const what = body === undefined ? 'something other than JSON' : 'an answer that we do not know';
  return refusedLogin('provider_api_error', `${provider} gave ${what} (HTTP ${status})`);
}

/** A renewal of which nobody can say what became of it: it is tried again, the connection stays. */
export function unclearRenewal(answer: Pick<LoginAnswer, 'status' | 'headers'>, reason = `http_${answer.status}`): RefreshOutcome {
  const retryAfterMs = readRetryAfterMs(answer.headers);
  return { outcome: 'unclear', retryable: true, reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}
