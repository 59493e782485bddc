import { AppError, type Clock } from '@pulsewire/kernel';
import type { HttpClient } from '@pulsewire/outbound';
import { providerError } from '../http/provider-error.ts';
import { isTransientStatus } from '../http/statuses.ts';
import type { OAuthApplication, OAuthSettings, ProviderEndpoints, TokenSet } from '../types/connector.ts';
import { addressWithState } from './address-with-state.ts';
import { isConfigurationError } from './configuration-error.ts';
import { parseTokenResponse, tokenErrorOf } from './token-response.ts';
import { buildCodeExchange, tokenUrlOf } from './token-request.ts';

export interface CodeExchange {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly settings: OAuthSettings;
  readonly endpoints: ProviderEndpoints;
  readonly application: OAuthApplication;
  readonly code: string;
  /** Must equal the one in the authorization URL. */
  readonly redirectUri: string;
  readonly codeVerifier: string | null;
  /** Of the authorization URL; for providers that lose it, and may compare the address as it was sent. */
  readonly state?: string | null;
  readonly signal?: AbortSignal;
}

/**
 * Exchanges the authorization code for tokens. Throws AppError `provider_transient` when the provider is unavailable,
 * `provider_discontinued` when it has shut down, `oauth_code_rejected` when it rejects the code, `oauth_too_many_tokens` when the account has
 * too many tokens in force, `provider_configuration` when it rejects our application (`invalid_client`), and `provider_permanent` for any other
 * response (`details.error` contains the provider's error code).
 */
export async function exchangeCode(context: CodeExchange): Promise<TokenSet> {
  const { http, clock, settings, endpoints, application, code, redirectUri, codeVerifier, signal } = context;
  const exchangeAs = async (address: string) => {
    const request = buildCodeExchange({ settings, tokenUrl: tokenUrlOf(endpoints), application, code, redirectUri: address, codeVerifier });
    const response = await http.send(signal === undefined ? request : { ...request, signal });
    const tokens = response.status === 200 ? parseTokenResponse(response.body, settings, clock.now()) : undefined;
    return { response, tokens };
  };
  let { response, tokens } = await exchangeAs(redirectUri);
  // It is not known whether such a provider compares the registered address or the one that was sent.
  const sent = addressWithState(redirectUri, context.state ?? '', settings);
  if (tokens === undefined && sent !== redirectUri && !isTransientStatus(response.status)) ({ response, tokens } = await exchangeAs(sent));
  if (tokens !== undefined) return tokens;
  const { error } = tokenErrorOf(response, settings);
  const details = { status: response.status, error };
  if (isTransientStatus(response.status)) {
    throw new AppError({
      code: 'provider_transient',
      kind: 'unavailable',
      message: 'The provider temporarily cannot exchange codes.',
      retryable: true,
      details,
    });
  }
  if (error === 'invalid_grant') {
    throw new AppError({ code: 'oauth_code_rejected', kind: 'invalid', message: 'The provider rejected the authorization code.', details });
  }
  if (isConfigurationError(error)) throw providerError('provider_configuration', { ...details, reason: error });
  if (error === 'discontinued') throw providerError('provider_discontinued', details);
  if (error === 'too_many_tokens') {
    throw new AppError({
      code: 'oauth_too_many_tokens',
      kind: 'conflict',
      message: 'The account has too many tokens of this application in force.',
      details,
    });
  }
  throw new AppError({
    code: 'provider_permanent',
    kind: 'upstream',
    message: 'The provider returned no tokens for the authorization code.',
    details,
  });
}
