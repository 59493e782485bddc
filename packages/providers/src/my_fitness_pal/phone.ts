import { createHash } from 'node:crypto';
import { oauthErrorOf } from '../kit/oauth/token-response.ts';
import { refusedLogin, refusedRenewal, unclearLogin, unclearRenewal } from '../kit/password/refused.ts';
import { readTokens } from '../kit/password/token-response.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import type { LoginHttp, LoginOutcome, LoginResponse, RefreshOutcome, TokenSet } from '../kit/types/connector.ts';
import { phoneRegion, type DiaryValues } from './my-fitness-pal.ts';

const fields = { access: 'access_token', refresh: 'refresh_token', expiresIn: 'expires_in' };
/** When a response does not state it. */
const tokenLifeMs = 30 * 86_400_000;

/** Errors that concern the configured client id, not the user. */
const clientErrors: ReadonlySet<unknown> = new Set(['invalid_client', 'unauthorized_client', 'unsupported_grant_type', 'missing-header']);

function requestTokens(http: LoginHttp, { clientId }: DiaryValues, grant: Readonly<Record<string, string>>): Promise<LoginResponse> {
  return http.send({
    method: 'POST',
    path: '/v2/oauth2/token',
    region: phoneRegion,
    headers: { accept: 'application/json', 'mfp-client-id': clientId },
    json: { ...grant, client_id: clientId },
  });
}

/** `kept`: the former refresh token, which stays valid only if the response brings no other. */
function tokensOf({ status, body }: LoginResponse, now: Date, kept: string | null = null): TokenSet | null {
  const tokens = status === 200 ? readTokens(new JsonNode(body), fields, now, kept) : null;
  return tokens && { ...tokens, expiresAt: tokens.expiresAt ?? new Date(now.getTime() + tokenLifeMs) };
}

/** Rejections are JSON; a page that blocks clients is not. */
function isRejected({ status, body }: LoginResponse): boolean {
  return status >= 400 && status < 500 && status !== 429 && typeof body === 'object' && body !== null;
}

/** Signs in at the account itself. The password is not kept: a refresh token replaces it. */
export async function signIn(
  http: LoginHttp,
  values: DiaryValues,
  { username, password, now }: { readonly username: string; readonly password: string; readonly now: Date },
): Promise<LoginOutcome> {
  const response = await requestTokens(http, values, { grant_type: 'password', username, password });
  if (isRejected(response)) {
    if (clientErrors.has(oauthErrorOf(response.body)))
      return refusedLogin('provider_api_error', 'MyFitnessPal rejected the configured client id');
    return refusedLogin('provider_credential_error', 'MyFitnessPal rejected this name and password');
  }
  const tokens = tokensOf(response, now);
  // Only a login states it, and every call needs it.
  const { value: userId } = new JsonNode(response.body).at('user_id');
  const isKnown = (typeof userId === 'string' && userId !== '') || typeof userId === 'number';
  if (tokens === null || tokens.refreshToken === null || !isKnown) return unclearLogin('MyFitnessPal', response);
  return { kind: 'linked', tokens, providerUserId: String(userId), account: { way: 'account', user_id: String(userId) } };
}

/** The former refresh token ends with the response. */
export async function renewTokens(http: LoginHttp, values: DiaryValues, renewal: string, now: Date): Promise<RefreshOutcome> {
  const response = await requestTokens(http, values, { grant_type: 'refresh_token', refresh_token: renewal });
  const tokens = tokensOf(response, now, renewal);
  if (tokens !== null) return { outcome: 'refreshed', tokens };
  if (!isRejected(response)) return unclearRenewal(response);
  const error = oauthErrorOf(response.body);
  if (error === 'invalid_grant') return { outcome: 'revoked' };
  return clientErrors.has(error) ? unclearRenewal(response, 'client_id_rejected') : refusedRenewal;
}

/** The app names a device, which only has to stay the same. */
function deviceIdOf(userId: string): string {
  const hex = createHash('sha256').update(`device ${userId}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

/** Headers of every call to the servers of the app. */
export function phoneHeaders(accessToken: string, userId: string, { clientId, appVersion }: DiaryValues): Readonly<Record<string, string>> {
  const device = JSON.stringify({ 'device-id': deviceIdOf(userId), 'app-version': appVersion });
  return {
    accept: 'application/json',
    authorization: `Bearer ${accessToken}`,
    'mfp-client-id': clientId,
    'mfp-user-id': userId,
    'client-metadata': Buffer.from(device).toString('base64'),
  };
}
