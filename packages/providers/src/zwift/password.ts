import { JsonNode } from '../kit/values/json-node.ts';
import { judgeRevocation } from '../kit/oauth/revoke-token.ts';
import { oauthErrorOf } from '../kit/oauth/token-response.ts';
import { passwordField, usernameField } from '../kit/password/form.ts';
import { refusedLogin, unclearLogin, unclearRenewal } from '../kit/password/refused.ts';
import { readOAuthTokens } from '../kit/password/token-response.ts';
import type { LoginResponse, LoginHttp, PasswordSupport } from '../kit/types/connector.ts';
import { appHeadersOf, formerClientId, loginRegion, type ZwiftValues } from './zwift.ts';

const tokenPath = '/auth/realms/zwift/protocol/openid-connect/token';
const logoutPath = '/auth/realms/zwift/tokens/logout';

type Form = Readonly<Record<string, string>>;

function send(http: LoginHttp, clientId: string, path: string, form: Form): Promise<LoginResponse> {
  const headers = { accept: 'application/json' };
  return http.send({ method: 'POST', path, region: loginRegion, headers, form: { client_id: clientId, ...form } });
}

const requestTokens = (http: LoginHttp, clientId: string, form: Form) => send(http, clientId, tokenPath, form);

/** A refresh token works only with the client id that it was issued to, which the operator may have changed since. */
function clientIdsOf(account: Readonly<Record<string, unknown>>, { clientId }: ZwiftValues): readonly [string, ...string[]] {
  const kept = account['client_id'];
  if (typeof kept === 'string') return [kept];
  return clientId === formerClientId ? [clientId] : [formerClientId, clientId];
}

function isRefused({ status, body }: LoginResponse): boolean {
  return (status === 400 || status === 401) && oauthErrorOf(body) === 'invalid_grant';
}

/** Zwift's account server. The password is not stored: a refresh token replaces it. There is no MFA. */
export const createZwiftPassword = (values: ZwiftValues): PasswordSupport => ({
  regions: null,
  form: [usernameField('E-mail address'), passwordField],
  async login({ http, username, password, now }) {
    const response = await requestTokens(http, values.clientId, { grant_type: 'password', username, password });
    if (isRefused(response)) return refusedLogin('provider_credential_error', 'Zwift rejected this e-mail address and password');
    const tokens = readOAuthTokens(response, now);
    if (tokens === null) return unclearLogin('Zwift', response);
    // The subject of the token is not always the rider's number.
    const headers = { ...appHeadersOf(values), authorization: `Bearer ${tokens.accessToken}` };
    const me = await http.send({ method: 'GET', path: '/api/profiles/me', headers });
    const id = new JsonNode(me.body).at('id').value;
    if (me.status !== 200 || !Number.isSafeInteger(id)) return unclearLogin('Zwift', me);
    return { kind: 'linked', tokens, providerUserId: String(id), account: { client_id: values.clientId } };
  },
  async renew({ http, renewal, account, now }) {
    const form = { grant_type: 'refresh_token', refresh_token: renewal };
    const [first, ...others] = clientIdsOf(account, values);
    let response = await requestTokens(http, first, form);
    for (const clientId of others) if (isRefused(response)) response = await requestTokens(http, clientId, form);
    if (isRefused(response)) return { outcome: 'revoked' };
    const tokens = readOAuthTokens(response, now, renewal);
    return tokens === null ? unclearRenewal(response) : { outcome: 'refreshed', tokens };
  },
  async revoke({ http, renewal }) {
    const logOut = (clientId: string) => send(http, clientId, logoutPath, { refresh_token: renewal });
    const response = await logOut(values.clientId);
    judgeRevocation(isRefused(response) ? (await logOut(formerClientId)).status : response.status);
  },
});
