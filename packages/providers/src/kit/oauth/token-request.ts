import { AppError } from '@pulsewire/kernel';
import type { HttpRequest } from '@pulsewire/outbound';
import type { OAuthApplication, OAuthSettings, ProviderEndpoints } from '../types/connector.ts';

/** The token endpoint. Throws AppError `provider_without_oauth` (a bug) when the provider does not use OAuth. */
export function tokenUrlOf({ tokenUrl }: ProviderEndpoints): string {
  if (tokenUrl !== null) return tokenUrl;
  throw new AppError({ code: 'provider_without_oauth', kind: 'bug', message: 'This provider has no token endpoint.' });
}

/** A call of an OAuth endpoint that authenticates the application the way this provider requires. */
export function buildOAuthPost(
  url: string,
  fields: Readonly<Record<string, string>>,
  settings: Pick<OAuthSettings, 'clientAuth' | 'tokenMethod'>,
  application: OAuthApplication,
): HttpRequest {
  const { clientId, clientSecret } = application;
  const credentials = { client_id: clientId, client_secret: clientSecret };
  if (settings.tokenMethod === 'GET') return { method: 'GET', url, query: { ...fields, ...credentials } };
  switch (settings.clientAuth) {
    case 'basic':
      return { method: 'POST', url, form: { client_id: clientId, ...fields }, basicAuth: { username: clientId, password: clientSecret } };
    case 'body':
      return { method: 'POST', url, form: { ...fields, ...credentials } };
    case 'query':
      return { method: 'POST', url, query: { ...fields, ...credentials }, form: {} };
  }
}

/** The request that exchanges an authorization code for tokens. */
export function buildCodeExchange(context: {
  readonly settings: OAuthSettings;
  readonly tokenUrl: string;
  readonly application: OAuthApplication;
  readonly code: string;
  readonly redirectUri: string;
  readonly codeVerifier: string | null;
}): HttpRequest {
  const { settings, tokenUrl, application, code, redirectUri, codeVerifier } = context;
  const proof = settings.pkce === 'none' || codeVerifier === null ? {} : { code_verifier: codeVerifier };
  const fields = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...proof, ...settings.exchangeParams };
  return buildOAuthPost(tokenUrl, fields, settings, application);
}

/** The request that exchanges a refresh token for new tokens. */
export function buildRefresh(context: {
  readonly settings: OAuthSettings;
  readonly tokenUrl: string;
  readonly application: OAuthApplication;
  readonly refreshToken: string;
  readonly redirectUri: string | null;
  readonly providerUserId: string | null;
}): HttpRequest {
  const { settings, tokenUrl, application, refreshToken, redirectUri, providerUserId } = context;
  const address = redirectUri === null ? {} : { redirect_uri: redirectUri };
  const { refreshUserIdField: idField } = settings;
  const fields = {
    [settings.refreshTypeField ?? 'grant_type']: 'refresh_token',
    refresh_token: refreshToken,
    ...address,
    ...(idField !== undefined && providerUserId !== null && { [idField]: providerUserId }),
    ...settings.refreshParams,
  };
  return buildOAuthPost(tokenUrl, fields, settings, application);
}
