import type { TokenSet } from '../types/oauth.ts';
import type { LoginResponse } from '../types/http.ts';
import { JsonNode } from '../values/json-node.ts';

// A larger value cannot be a number of seconds.
const secondsMax = 10 * 365 * 86_400;

/** Field names in a provider's token response. */
export interface TokenFields {
  readonly access: string;
  readonly refresh: string;
  readonly expiresIn: string;
}

/**
 * Parses the response to a login or a renewal; null when it has no access token. `kept` is the previous refresh token,
 * which remains valid when the response contains no new one.
 */
export function readTokens(node: JsonNode, fields: TokenFields, now: Date, kept: string | null = null): TokenSet | null {
  const access = node.at(fields.access).value;
  const refresh = node.at(fields.refresh).value;
  const seconds = node.at(fields.expiresIn).value;
  if (typeof access !== 'string' || access === '') return null;
  const isLife = typeof seconds === 'number' && seconds > 0 && seconds < secondsMax;
  return {
    accessToken: access,
    refreshToken: typeof refresh === 'string' && refresh !== '' ? refresh : kept,
    expiresAt: isLife ? new Date(now.getTime() + seconds * 1000) : null,
    scopes: null,
    providerUserId: null,
  };
}

const oauthFields: TokenFields = { access: 'access_token', refresh: 'refresh_token', expiresIn: 'expires_in' };

/** As `readTokens`, with the names of OAuth; null too when the status is not 200. */
export function readOAuthTokens({ status, body }: LoginResponse, now: Date, kept: string | null = null): TokenSet | null {
  return status === 200 ? readTokens(new JsonNode(body), oauthFields, now, kept) : null;
}
