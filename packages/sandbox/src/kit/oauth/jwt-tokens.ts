import type { ApiCall } from '../definition/definition.ts';
import type { Pair } from '../accounts/grants.ts';
import type { AccountPerson } from '../person/person.ts';
import { bearerOf } from '../http/respond-to-route.ts';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An access token as a JWT that names the user, for providers with clients that read it. */
export function jwtOf({ accessToken, grant }: Pair): string {
  return `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: grant.providerUserId, jti: accessToken })}.signature`;
}

/** The kit's own token inside the JWT of a request; null when there is none. For `readToken`. */
export function readJwtToken<P extends AccountPerson>(call: ApiCall<P>): string | null {
  const [, payload = ''] = bearerOf(call)?.split('.') ?? [];
  try {
    const { jti } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly jti?: unknown };
    return typeof jti === 'string' ? jti : null;
  } catch {
    return null;
  }
}
