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
  /** Called with the renewed pair before it is used: if the revocation fails, only that pair can retry it. */
  readonly onRenewed?: ((tokens: TokenSet) => Promise<void>) | undefined;
}

/**
 * Revokes the consent at the provider. True when the token is no longer valid, even if it was already invalid; false when
 * the provider has no revocation endpoint. Throws AppError `provider_transient` or `provider_permanent`.
 */
export async function revokeToken(context: TokenRevocation): Promise<boolean> {
  const { http, settings, endpoints, application, accessToken, refreshToken, providerUserId = null, signal } = context;
  if (settings.revoke) {
    const { revokeUrl } = endpoints;
    const call = { http: createLoginHttp({ http, endpoints, signal }), application, accessToken, refreshToken, providerUserId, revokeUrl };
    return revokeOwnWay(context, settings.revoke, call);
  }
  if (endpoints.revokeUrl === null) return false;
  // Revoking the refresh token also ends the consent and its access tokens (RFC 7009).
  const token = refreshToken ?? accessToken;
  const request = buildOAuthPost(endpoints.revokeUrl, { token }, settings, application);
  const { status } = await http.send(signal === undefined ? request : { ...request, signal });
  return judgeRevocation(status);
}

/** An expired access token cannot revoke a consent that is still valid, so it is renewed once. */
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
  const { refreshToken, providerUserId } = call;
  const refresh = { http, clock: systemClock, settings, endpoints, application, refreshToken, providerUserId };
  const renewed = await refreshTokens(signal === undefined ? refresh : { ...refresh, signal });
  if (renewed.outcome === 'unclear') throw providerError('provider_transient', { reason: renewed.reason }, renewed.retryAfterMs);
  // The consent is still valid.
  if (renewed.outcome === 'withheld' && renewed.reason === 'too_many_tokens')
    throw providerError('provider_transient', { reason: renewed.reason });
  if (renewed.outcome !== 'refreshed') return true;
  await context.onRenewed?.(renewed.tokens);
  return revoke({ ...call, accessToken: renewed.tokens.accessToken, refreshToken: renewed.tokens.refreshToken });
}

/** True when the status of a revocation means that the consent has ended. Throws AppError `provider_transient` or `provider_permanent`. */
export function judgeRevocation(status: number): boolean {
  // Providers return 400, 401 or 404 for a token or user that no longer exists, and 410 when they have shut down.
  if ((status >= 200 && status < 300) || [400, 401, 404, 410].includes(status)) return true;
  const retryable = isTransientStatus(status);
  throw new AppError({
    code: retryable ? 'provider_transient' : 'provider_permanent',
    kind: retryable ? 'unavailable' : 'upstream',
    message: 'The provider did not revoke the consent.',
    retryable,
    details: { status },
  });
}
