import type { TokenSet } from '../types/oauth.ts';
import type { JsonNode } from '../values/json-node.ts';

// Longer, and it is no number of seconds.
const secondsMax = 10 * 365 * 86_400;

/** Names of the fields in a provider's answer. */
export interface TokenFields {
  readonly access: string;
  readonly refresh: string;
  readonly expiresIn: string;
}

/**
 * Tokens out of the answer to a login or a renewal; null when there is no access token in it. `kept` is the refresh token of
 * before, which stays good where none comes along.
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
