import { oauthErrorOf } from '../kit/oauth/token-response.ts';
import { passwordField, usernameField } from '../kit/password/form.ts';
import { refusedLogin, unclearLogin, unclearRenewal } from '../kit/password/refused.ts';
import { readOAuthTokens } from '../kit/password/token-response.ts';
import type { LoginHttp, LoginResponse, PasswordSupport } from '../kit/types/connector.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { authRegion, type PelotonValues } from './peloton.ts';
import { signIn } from './sign-in.ts';

const tokenPath = '/oauth/token';
/** Seven calls and their redirects. */
const loginTimeoutMs = 60_000;

const isEnded = ({ status, body }: LoginResponse): boolean => [400, 401, 403].includes(status) && oauthErrorOf(body) === 'invalid_grant';

function requestTokens(http: LoginHttp, json: Readonly<Record<string, string>>): Promise<LoginResponse> {
  return http.send({ method: 'POST', path: tokenPath, region: authRegion, json });
}

const reasonOf = (code: string | null): string => (code === null ? '' : ` (${code})`);

/** Peloton's sign-in service. The password is not stored: a refresh token replaces it. */
export const createPelotonPassword = (values: PelotonValues): PasswordSupport => ({
  regions: null,
  loginTimeoutMs,
  form: [usernameField('E-mail address or user name', 'text'), passwordField],
  async login({ http, username, password, now }) {
    const signedIn = await signIn(http, values, { username, password });
    if (signedIn.kind === 'refused')
      return refusedLogin('provider_credential_error', `Peloton rejected this user name and password${reasonOf(signedIn.code)}`);
    if (signedIn.kind === 'blocked')
      return refusedLogin(
        'provider_api_error',
        `Peloton accepts no sign-in of this account for now${reasonOf(signedIn.code)}: try again later`,
      );
    if (signedIn.kind === 'unclear') return unclearLogin('Peloton', signedIn.response);
    const { clientId: client_id, redirectUri: redirect_uri } = values;
    const { code, verifier: code_verifier } = signedIn;
    const response = await requestTokens(http, { grant_type: 'authorization_code', client_id, redirect_uri, code, code_verifier });
    const tokens = readOAuthTokens(response, now);
    if (tokens === null) return unclearLogin('Peloton', response);
    const me = await http.send({ method: 'GET', path: '/api/me', headers: { authorization: `Bearer ${tokens.accessToken}` } });
    const id = new JsonNode(me.body).at('id').value;
    if (me.status !== 200 || typeof id !== 'string' || id === '') return unclearLogin('Peloton', me);
    return { kind: 'linked', tokens, providerUserId: id, account: {} };
  },
  async renew({ http, renewal, now }) {
    const form = { grant_type: 'refresh_token', client_id: values.clientId, refresh_token: renewal };
    const response = await http.send({ method: 'POST', path: tokenPath, region: authRegion, form });
    if (isEnded(response)) return { outcome: 'revoked' };
    const tokens = readOAuthTokens(response, now, renewal);
    return tokens === null ? unclearRenewal(response) : { outcome: 'refreshed', tokens };
  },
});
