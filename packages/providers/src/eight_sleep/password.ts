import { oauthErrorOf, claimsOf } from '../kit/oauth/token-response.ts';
import { passwordField, usernameField } from '../kit/password/form.ts';
import { refusedLogin, unclearLogin, unclearRenewal } from '../kit/password/refused.ts';
import { readTokens, readOAuthTokens } from '../kit/password/token-response.ts';
import type { LoginHttp, LoginResponse, PasswordSupport } from '../kit/types/connector.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { appHeadersOf, authRegion, type EightSleepValues } from './eight-sleep.ts';

const fields = { access: 'access_token', refresh: 'refresh_token', expiresIn: 'expires_in' };

/** Both are returned for a wrong password; 401 instead means that the client is not accepted. */
const refusals = ['invalid_grant', 'Error logging in.'];

function requestTokens(http: LoginHttp, values: EightSleepValues, grant: Readonly<Record<string, string>>): Promise<LoginResponse> {
  const json = { client_id: values.clientId, client_secret: values.clientSecret, ...grant };
  return http.send({ method: 'POST', path: '/tokens', region: authRegion, headers: appHeadersOf(values), json });
}

const isRefusedFor = ({ status, body }: LoginResponse, errors: readonly string[]): boolean =>
  status === 400 && errors.includes(oauthErrorOf(body) ?? '');

/** The user's id: a member of the response, else the subject of the token. */
function userIdOf(body: JsonNode, accessToken: string): string | null {
  const id = body.at('userId').value ?? claimsOf(accessToken).at('sub').value;
  return typeof id === 'string' && id !== '' ? id : null;
}

/** Eight Sleep's sign-in service. The password is not stored: a refresh token replaces it. There is no MFA. */
export const createEightSleepPassword = (values: EightSleepValues): PasswordSupport => ({
  regions: null,
  form: [usernameField('E-mail address'), passwordField],
  async login({ http, username, password, now }) {
    const response = await requestTokens(http, values, { grant_type: 'password', username, password });
    if (isRefusedFor(response, refusals))
      return refusedLogin('provider_credential_error', 'Eight Sleep rejected this e-mail address and password');
    if (response.status === 401)
      return refusedLogin('provider_api_error', 'Eight Sleep rejected the configured client id, secret or user agent');
    const body = new JsonNode(response.body);
    const tokens = response.status === 200 ? readTokens(body, fields, now) : null;
    if (tokens === null) return unclearLogin('Eight Sleep', response);
    return { kind: 'linked', tokens, providerUserId: userIdOf(body, tokens.accessToken), account: {} };
  },
  async renew({ http, renewal, now }) {
    const response = await requestTokens(http, values, { grant_type: 'refresh_token', refresh_token: renewal });
    if (isRefusedFor(response, ['invalid_grant'])) return { outcome: 'revoked' };
    const tokens = readOAuthTokens(response, now, renewal);
    return tokens === null ? unclearRenewal(response) : { outcome: 'refreshed', tokens };
  },
});
