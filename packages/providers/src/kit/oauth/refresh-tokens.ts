import { isAppError, type Clock } from '@pulsewire/kernel';
import type { HttpClient } from '@pulsewire/outbound';
import { readRetryAfterMs } from '../http/provider-retry-after.ts';
import { isTransientStatus } from '../http/statuses.ts';
import type { OAuthApplication, OAuthSettings, ProviderEndpoints, RefreshOutcome } from '../types/connector.ts';
import { parseTokenResponse, tokenErrorOf } from './token-response.ts';
import { buildRefresh, tokenUrlOf } from './token-request.ts';

export interface TokenRefresh {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly settings: OAuthSettings;
  readonly endpoints: ProviderEndpoints;
  readonly application: OAuthApplication;
  readonly refreshToken: string;
  /** The redirect URI of the original authorization; some providers require it again. */
  readonly redirectUri?: string | null;
  /** The user's id at the provider, which some providers require. */
  readonly providerUserId?: string | null;
  readonly signal?: AbortSignal;
}

/**
 * Exchanges a refresh token for new tokens. Does not retry: the caller holds the lease and must store the new pair before
 * using it. Only `invalid_grant` with 400 or 401, or the provider's own equivalent, counts as revoked; a bare 400, a wrong
 * client secret or a lost response does not end the connection. Throws only the signal's reason.
 */
export async function refreshTokens(context: TokenRefresh): Promise<RefreshOutcome> {
  const { http, clock, settings, endpoints, application, refreshToken, redirectUri = null, providerUserId = null, signal } = context;
  const request = buildRefresh({ settings, tokenUrl: tokenUrlOf(endpoints), application, refreshToken, redirectUri, providerUserId });
  try {
    const response = await http.send(signal === undefined ? request : { ...request, signal });
    const tokens = response.status === 200 ? parseTokenResponse(response.body, settings, clock.now(), refreshToken) : undefined;
    if (tokens !== undefined) return { outcome: 'refreshed', tokens };
    const { error, isOwn } = tokenErrorOf(response, settings);
    const isRefusal = isOwn || response.status === 400 || response.status === 401;
    if (isRefusal && error === 'invalid_grant') return { outcome: 'revoked' };
    if (isOwn && (error === 'too_many_tokens' || error === 'discontinued')) return { outcome: 'withheld', reason: error };
    const retryAfterMs = readRetryAfterMs(response.headers);
    return {
      outcome: 'unclear',
      // An unreadable 200 and a 400 without an error code may be temporary; an operator must fix a named error.
      retryable: isTransientStatus(response.status) || error === null,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      reason: error ?? `http_${response.status}`,
    };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { outcome: 'unclear', retryable: error.retryable, reason: error.code };
  }
}
