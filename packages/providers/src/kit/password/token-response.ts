import type { TokenSet } from '../types/oauth.ts';
import type { JsonNode } from '../values/json-node.ts';

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
