import { oauthErrorOf } from '../kit/oauth/token-response.ts';
import { passwordField, regionField, usernameField } from '../kit/password/form.ts';
import { refusedLogin, unclearLogin, unclearRenewal } from '../kit/password/refused.ts';
import { readOAuthTokens } from '../kit/password/token-response.ts';
import type { LoginHttp, LoginResponse, PasswordSupport } from '../kit/types/connector.ts';
import { ssoRegion, type BeurerValues } from './beurer.ts';

const regions = ['eu', 'us'] as const;
const version = '2';

function requestTokens(
  http: LoginHttp,
  { clientId, clientSecret, scope }: BeurerValues,
  form: Readonly<Record<string, string>>,
): Promise<LoginResponse> {
  // The vendor's own app names its scope in a refresh, too.
  const client = { client_id: clientId, client_secret: clientSecret, scope, version };
  return http.send({ method: 'POST', path: '/connect/token', region: ssoRegion, form: { ...client, ...form } });
}

/** A wrong client is the operator's matter, and no word about the password. */
const isRefused = ({ status, body }: LoginResponse): boolean =>
  (status === 400 || status === 401) && oauthErrorOf(body) === 'invalid_grant';

/** The sign-in service of the vendor's apps. The password is not kept: a refresh token takes its place. */
export const createBeurerPassword = (values: BeurerValues): PasswordSupport => ({
  regions: [...regions],
  form: [
    usernameField('E-mail address'),
    passwordField,
    regionField('Region', [
      { value: 'eu', label: 'Europe and elsewhere' },
      { value: 'us', label: 'United States' },
    ]),
  ],
  async login({ http, username, password, region, now }) {
    const response = await requestTokens(http, values, { grant_type: 'password', username, password });
    if (isRefused(response)) return refusedLogin('provider_credential_error', 'Beurer rejected this e-mail address and password');
    if (oauthErrorOf(response.body) === 'invalid_client')
      return refusedLogin('provider_api_error', 'Beurer rejected the configured client id and secret');
    const tokens = readOAuthTokens(response, now);
    if (tokens === null) return unclearLogin('Beurer', response);
    // No response names the user; the address is what the account is known by.
    return { kind: 'linked', tokens, providerUserId: username.trim().toLowerCase(), account: { region: region === 'us' ? 'us' : 'eu' } };
  },
  async renew({ http, renewal, now }) {
    const response = await requestTokens(http, values, { grant_type: 'refresh_token', refresh_token: renewal });
    if (isRefused(response)) return { outcome: 'revoked' };
    const tokens = readOAuthTokens(response, now, renewal);
    return tokens === null ? unclearRenewal(response) : { outcome: 'refreshed', tokens };
  },
});
