import { AppError } from '@pulsewire/kernel';
import { addressWithState } from './address-with-state.ts';
import type { OAuthApplication, OAuthSettings, ProviderEndpoints } from '../types/connector.ts';

export interface AuthorizeRequest {
  readonly settings: OAuthSettings;
  readonly endpoints: ProviderEndpoints;
  readonly application: OAuthApplication;
  readonly redirectUri: string;
  /** The link token; the provider returns it in the callback. */
  readonly state: string;
  /** Omitted when the provider does not support PKCE. */
  readonly codeChallenge?: string | null;
  /** Default: all scopes of the connector. */
  readonly scopes?: readonly string[];
}

/** The URL of the consent page. Throws AppError `provider_without_oauth` (a bug) when the provider has none. */
export function buildAuthorizeUrl(request: AuthorizeRequest): string {
  const { settings, endpoints, application, redirectUri, state, codeChallenge = null, scopes = settings.scopes } = request;
  if (endpoints.authorizeUrl === null)
    throw new AppError({ code: 'provider_without_oauth', kind: 'bug', message: 'This provider has no consent page.' });
  const url = new URL(endpoints.authorizeUrl);
  for (const [name, value] of Object.entries(settings.authorizeParams ?? {})) url.searchParams.set(name, value);
  url.searchParams.set('response_type', 'code');
  url.searchParams.set('client_id', application.clientId);
  url.searchParams.set('redirect_uri', addressWithState(redirectUri, state, settings));
  url.searchParams.set('state', state);
  if (settings.scopeSeparator !== null && scopes.length > 0)
    url.searchParams.set(settings.scopeField ?? 'scope', scopes.join(settings.scopeSeparator));
  if (settings.pkce !== 'none' && codeChallenge !== null) {
    url.searchParams.set('code_challenge', codeChallenge);
    url.searchParams.set('code_challenge_method', 'S256');
  }
  return url.toString();
}
