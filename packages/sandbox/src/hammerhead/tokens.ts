import type { Pair } from '../kit/accounts/grants.ts';
import { jwtOf } from '../kit/oauth/jwt-tokens.ts';

export function tokenBody(pair: Pair): Readonly<Record<string, unknown>> {
  const { refreshToken, expiresIn } = pair;
  return { access_token: jwtOf(pair), token_type: 'Bearer', expires_in: expiresIn, refresh_token: refreshToken };
}
