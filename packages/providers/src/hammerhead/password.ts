import { JsonNode } from '../kit/values/json-node.ts';
import { claimsOf, oauthErrorOf } from '../kit/oauth/token-response.ts';
import { passwordField, usernameField } from '../kit/password/form.ts';
import { refusedLogin, unclearLogin, unclearRenewal } from '../kit/password/refused.ts';
import { readTokens } from '../kit/password/token-response.ts';
import type { LoginHttp, LoginOutcome, LoginResponse, PasswordSupport, TokenSet } from '../kit/types/connector.ts';
import { loginRegion, type HammerheadValues } from './hammerhead.ts';

const dashboardPath = '/auth/token';
const sramPath = '/auth/sram/mobile/token';
const headers = { accept: 'application/json' };

/** How an account signs in; kept with it, because each way renews at its own address. */
type Way = 'sram' | 'dashboard';

interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** An account of the other way is refused like a wrong password. */
function isRefused({ status, body }: LoginResponse): boolean {
  return (status === 400 || status === 401 || status === 403) && typeof body === 'object' && body !== null;
}

/** One client calls the access token by another name. */
function tokensOf({ status, body }: LoginResponse, now: Date, kept: string | null = null): TokenSet | null {
  if (status !== 200 && status !== 201) return null;
  const node = new JsonNode(body);
  const access = node.at('access_token').isMissing ? 'token' : 'access_token';
  return readTokens(node, { access, refresh: 'refresh_token', expiresIn: 'expires_in' }, now, kept);
}

interface SignedIn {
  readonly response: LoginResponse;
  /** SRAM's own refresh token, which renews the access where the exchange brings none. */
  readonly kept: string | null;
}

/** Signs in at SRAM, and exchanges its tokens for those of the dashboard. */
async function signInAtSram(http: LoginHttp, { username, password }: Credentials, values: HammerheadValues): Promise<SignedIn> {
  const { clientId, audience, scope } = values;
  const json = { grant_type: 'password', username, password, client_id: clientId, audience, scope };
  const response = await http.send({ method: 'POST', path: '/oauth/token', region: loginRegion, headers, json });
  const { access_token: accessToken, refresh_token: refreshToken } = (response.body ?? {}) as Record<string, unknown>;
  if (response.status !== 200 || typeof accessToken !== 'string') return { response, kept: null };
  const kept = typeof refreshToken === 'string' && refreshToken !== '' ? refreshToken : null;
  return { response: await http.send({ method: 'POST', path: sramPath, headers, json: { accessToken, refreshToken } }), kept };
}

function signInAtDashboard(http: LoginHttp, { username, password }: Credentials): Promise<LoginResponse> {
  return http.send({ method: 'POST', path: dashboardPath, headers, form: { grant_type: 'password', username, password } });
}

/** Undefined when the response has no tokens. An access that cannot be renewed would end after an hour, as the password is not kept. */
function linked(way: Way, { response, kept }: SignedIn, now: Date): LoginOutcome | undefined {
  const tokens = tokensOf(response, now, kept);
  const claims = tokens && claimsOf(tokens.accessToken);
  // The client that names the first one also looks at the others.
  const subject = ['sub', 'userId', 'user_id'].map((name) => claims?.at(name).value).find((value) => typeof value === 'string');
  if (!tokens || subject === undefined) return undefined;
  if (tokens.refreshToken === null)
    return refusedLogin('provider_api_error', 'Hammerhead issued no refresh token, so the connection would end after an hour');
  return { kind: 'linked', tokens, providerUserId: subject, account: { way } };
}

/** The sign-in of SRAM, and for accounts that were not moved the older one. The password is not kept. */
export const createHammerheadPassword = (values: HammerheadValues): PasswordSupport => ({
  regions: null,
  form: [usernameField('E-mail address'), passwordField],
  async login({ http, username, password, now }) {
    const credentials = { username: username.toLowerCase(), password };
    const sram = await signInAtSram(http, credentials, values);
    const moved = linked('sram', sram, now);
    if (moved) return moved;
    const dashboard = await signInAtDashboard(http, credentials);
    const old = linked('dashboard', { response: dashboard, kept: null }, now);
    if (old) return old;
    if (isRefused(sram.response) && isRefused(dashboard))
      return refusedLogin('provider_credential_error', 'Hammerhead rejected this e-mail address and password');
    return unclearLogin('Hammerhead', isRefused(sram.response) ? dashboard : sram.response);
  },
  async renew({ http, renewal, account, now }) {
    const fields = { grant_type: 'refresh_token', refresh_token: renewal };
    const request = account['way'] === 'dashboard' ? { path: dashboardPath, form: fields } : { path: sramPath, json: fields };
    const response = await http.send({ method: 'POST', headers, ...request });
    if (isRefused(response) && oauthErrorOf(response.body) === 'invalid_grant') return { outcome: 'revoked' };
    const tokens = tokensOf(response, now, renewal);
    return tokens === null ? unclearRenewal(response) : { outcome: 'refreshed', tokens };
  },
});
