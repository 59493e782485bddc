import { createHash, randomBytes } from 'node:crypto';
import { claimsOf } from '../kit/oauth/token-response.ts';
import { contractRegions } from '../kit/password/contract-regions.ts';
import { passwordField, regionField, usernameField } from '../kit/password/form.ts';
import { refusedLogin, refusedRenewal, unclearLogin, unclearRenewal } from '../kit/password/refused.ts';
import { readRenewal, writeRenewal } from '../kit/password/renewal.ts';
import { createBrowser } from '../kit/password/browser.ts';
import { readTokens } from '../kit/password/token-response.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import type { LoginHttp, LoginResponse, PasswordSupport, TokenSet } from '../kit/types/connector.ts';
import { loginUrls, placeOf, type TandemPlace, type TandemValues } from './tandem.ts';

const fields = { access: 'access_token', refresh: 'refresh_token', expiresIn: 'expires_in' };

type SignIn =
  | { readonly kind: 'signed_in'; readonly tokens: TokenSet; readonly pumperId: string }
  | { readonly kind: 'refused' | 'locked' | 'unclear'; readonly response: LoginResponse };

/** An ID token that came over TLS from its issuer, so its signature needs no check. */
function readPumperId(idToken: unknown): string | null {
  const { value } = claimsOf(idToken).at('pumperId');
  return typeof value === 'string' && value !== '' ? value : null;
}

function judgeRefusal(response: LoginResponse): SignIn {
  if (/max attempted logins exceeded/i.test(response.bytes.subarray(0, 2000).toString('utf8'))) return { kind: 'locked', response };
  // A 403 comes from the firewall; a 400 names bad parameters, as for an empty name.
  return { kind: response.status === 401 ? 'refused' : 'unclear', response };
}

async function signIn(
  http: LoginHttp,
  values: TandemValues,
  place: TandemPlace,
  given: { readonly username: string; readonly password: string; readonly now: Date },
): Promise<SignIn> {
  const [siteRegion, serviceRegion] = [`site_${place}`, `login_${place}`] as const;
  const site = createBrowser(http, siteRegion, loginUrls[siteRegion]);
  const service = createBrowser(http, serviceRegion, loginUrls[serviceRegion], site.jar);
  const page = await site.follow(await site.send({ method: 'GET', path: '/' }), () => false);
  const checked = await service.send({
    method: 'POST',
    path: '/accounts/api/login',
    headers: { accept: 'application/json', referer: page.url },
    json: { username: given.username, password: given.password },
  });
  if (checked.response.status !== 200 || new JsonNode(checked.response.body).at('status').value !== 'SUCCESS')
    return judgeRefusal(checked.response);
  const verifier = randomBytes(32).toString('base64url');
  const [clientId, redirectUri] = place === 'us' ? [values.clientIdUs, values.redirectUriUs] : [values.clientIdEu, values.redirectUriEu];
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    scope: 'openid profile email',
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const started = await service.send({ method: 'GET', path: `/accounts/api/connect/authorize?${query.toString()}` });
  const { end, response } = await service.follow(started, (url) => url.searchParams.has('code') || url.searchParams.has('error'));
  const code = end?.searchParams.get('code');
  if (!code) return { kind: 'unclear', response };
  const exchanged = await service.send({
    method: 'POST',
    path: '/accounts/api/connect/token',
    headers: { accept: 'application/json' },
    form: { grant_type: 'authorization_code', client_id: clientId, code, redirect_uri: redirectUri, code_verifier: verifier },
  });
  const body = new JsonNode(exchanged.response.body);
  const tokens = exchanged.response.status === 200 ? readTokens(body, fields, given.now) : null;
  const pumperId = readPumperId(body.at('id_token').value);
  return tokens === null || pumperId === null ? { kind: 'unclear', response: exchanged.response } : { kind: 'signed_in', tokens, pumperId };
}

const withRenewal = (tokens: TokenSet, username: string, password: string): TokenSet => ({
  ...tokens,
  refreshToken: writeRenewal({ username, password }),
});

/** The sign-in of the vendor's own site. It issues no refresh token, so name and password are stored encrypted. */
export const createTandemPassword = (values: TandemValues): PasswordSupport => ({
  regions: contractRegions,
  form: [
    usernameField('Tandem e-mail address'),
    passwordField,
    regionField('Region', [
      { value: 'us', label: 'United States' },
      { value: 'eu', label: 'Outside of the United States' },
    ]),
  ],
  async login({ http, username, password, region, now }) {
    const place = placeOf(region);
    const result = await signIn(http, values, place, { username, password, now });
    if (result.kind === 'signed_in') {
      const tokens = withRenewal(result.tokens, username, password);
      return { kind: 'linked', tokens, providerUserId: result.pumperId, account: { region: place } };
    }
    if (result.kind === 'refused')
      return refusedLogin(
        'provider_credential_error',
        'Tandem does not accept this e-mail address and password, or the account is in another region',
      );
    if (result.kind === 'locked') return refusedLogin('provider_credential_error', 'Tandem has locked the account after too many attempts');
    return unclearLogin('Tandem', result.response);
  },
  async renew({ http, renewal, account, now }) {
    const { username, password } = readRenewal(renewal, ['username', 'password']);
    const place = placeOf(typeof account['region'] === 'string' ? account['region'] : null);
    const result = await signIn(http, values, place, { username, password, now });
    if (result.kind === 'signed_in') return { outcome: 'refreshed', tokens: withRenewal(result.tokens, username, password) };
    if (result.kind === 'refused') return refusedRenewal;
    return unclearRenewal(result.response, result.kind === 'locked' ? 'account_locked' : undefined);
  },
});
