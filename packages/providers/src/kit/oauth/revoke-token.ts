import { AppError, errorCode, systemClock } from '@pulsewire/kernel';
import type { HttpClient } from '@pulsewire/outbound';
import { createLoginHttp } from '../http/login-http.ts';
import { providerError } from '../http/provider-error.ts';
import { isTransientStatus } from '../http/statuses.ts';
import type { OAuthApplication, OAuthSettings, ProviderEndpoints, RevocationCall, TokenSet } from '../types/connector.ts';
import { refreshTokens } from './refresh-tokens.ts';
import { buildOAuthPost } from './token-request.ts';

export interface TokenRevocation {
  readonly http: HttpClient;
  readonly settings: OAuthSettings;
  readonly endpoints: ProviderEndpoints;
  readonly application: OAuthApplication;
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly providerUserId?: string | null;
  readonly signal?: AbortSignal;
  /** Told of the pair that took this one's place, before it is used: should the revocation fail, only that one can try again. */
  readonly onRenewed?: ((tokens: TokenSet) => Promise<void>) | undefined;
}

/**
 * Takes the consent back at the provider. True when the token is gone, also when it was gone before; false when the
 * provider has no such endpoint. Throws AppError `provider_transient` or `provider_permanent`.
 */
export async function revokeToken(context: TokenRevocation): Promise<boolean> {
  const { http, settings, endpoints, application, accessToken, refreshToken, providerUserId = null, signal } = context;
  if (settings.revoke) {
    const { revokeUrl } = endpoints;
    const call = { http: createLoginHttp({ http, endpoints, signal }), application, accessToken, refreshToken, providerUserId, revokeUrl };
    return revokeOwnWay(context, settings.revoke, call);
  }
  if (endpoints.revokeUrl === null) return false;
  // The refresh token where there is one: revoking it ends the consent and its access tokens (RFC 7009).
  const token = refreshToken ?? accessToken;
  const request = buildOAuthPost(endpoints.revokeUrl, { token }, settings, application);
  const { status } = await http.send(signal === undefined ? request : { ...request, signal });
  return judgeRevocation(status);
}

/** An access token that has ended cannot take a consent back, although the consent stands: it is renewed once. */
async function revokeOwnWay(
  context: TokenRevocation,
  revoke: NonNullable<OAuthSettings['revoke']>,
  call: RevocationCall,
): Promise<boolean> {
  try {
    return await revoke(call);
  } catch (error) {
    if (errorCode(error) !== 'provider_token_expired' || call.refreshToken === null) throw error;
  }
  const { http, settings, endpoints, application, signal } = context;
  const refresh = { http, clock: systemClock, settings, endpoints, application, refreshToken: call.refreshToken };
  const renewed = await refreshTokens(signal === undefined ? refresh : { ...refresh, signal });
  if (renewed.outcome === 'unclear') throw providerError('provider_transient', { reason: renewed.reason }, renewed.retryAfterMs);
  if (renewed.outcome !== 'refreshed') return true;
  await context.onRenewed?.(renewed.tokens);
  return revoke({ ...call, accessToken: renewed.tokens.accessToken, refreshToken: renewed.tokens.refreshToken });
}

/** What a status says of a revocation: true when the consent is gone. Throws AppError `provider_transient` or `provider_permanent`. */
export function judgeRevocation(status: number): boolean {
  // 400, 401 and 404 are what providers answer for a token or a user that they do not know any more.
  if ((status >= 200 && status < 300) || status === 400 || status === 401 || status === 404) return true;
  const retryable = isTransientStatus(status);
  throw new AppError({
    code: retryable ? 'provider_transient' : 'provider_permanent',
    kind: retryable ? 'unavailable' : 'upstream',
    message: 'The provider did not take the consent back.',
    retryable,
    details: { status },
  });
}
