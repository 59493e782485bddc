import { base64url, errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { isUuid, type Clock } from '@pulsewire/kernel';
import { linkError } from './link-error.ts';

/** Claims of a link token; everything that may change is in the session row. */
export interface LinkClaims {
  readonly sessionId: string;
  readonly teamId: string;
  readonly userId: string;
}

export interface LinkTokenOptions {
  readonly secret: string;
  /** `{base_url}/v2/link`. */
  readonly audience: string;
}

/** Sixty minutes. */
export const linkTokenLifeMs = 60 * 60_000;

// Far longer than any of our tokens, so that a huge one is not even decoded.
const tokenLengthMax = 2_000;
const protectedHeader = { alg: 'HS256', typ: 'JWT' };

const keyOf = (secret: string): Uint8Array => new TextEncoder().encode(secret);

/** Signs a JWT (HS256). It is also the OAuth `state`, so it contains nothing that a provider must not see. */
export function signLinkToken(claims: LinkClaims, options: LinkTokenOptions & { readonly issuedAt: Date }): Promise<string> {
  const issuedAt = Math.floor(options.issuedAt.getTime() / 1000);
  return new SignJWT({ team_id: claims.teamId, user_id: claims.userId })
    .setProtectedHeader(protectedHeader)
    .setAudience(options.audience)
    .setSubject(claims.sessionId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + linkTokenLifeMs / 1000)
    .sign(keyOf(options.secret));
}

// Decoders ignore unused bits, padding and white space, so that one signature would have many spellings.
function hasCanonicalSignature(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return /^[\w-]+$/.test(signature) && base64url.encode(base64url.decode(signature)) === signature;
}

interface VerifiedToken {
  readonly payload: JWTPayload;
  readonly isExpired: boolean;
}

async function verify(token: string, options: LinkTokenOptions & { readonly clock: Clock }): Promise<VerifiedToken | null> {
  try {
    if (token.length > tokenLengthMax || !hasCanonicalSignature(token)) return null;
    const { payload } = await jwtVerify(token, keyOf(options.secret), {
      algorithms: [protectedHeader.alg],
      typ: protectedHeader.typ,
      audience: options.audience,
      requiredClaims: ['sub', 'exp'],
      currentDate: options.clock.now(),
    });
    return { payload, isExpired: false };
  } catch (error) {
    // The expiry is checked last: signature, audience and required claims are valid.
    return error instanceof errors.JWTExpired ? { payload: error.payload, isExpired: true } : null;
  }
}

const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value);

/**
 * The claims of a token that we signed, and whether it has expired: the caller may still need to know where to send the browser.
 * Throws a link error `invalid_token` for anything else.
 */
export async function readLinkToken(
  token: string,
  options: LinkTokenOptions & { readonly clock: Clock },
): Promise<LinkClaims & { readonly isExpired: boolean }> {
  const verified = await verify(token, options);
  const { sub: sessionId, team_id: teamId, user_id: userId } = verified?.payload ?? {};
  if (verified === null || !isId(sessionId) || !isId(teamId) || !isId(userId))
    throw linkError('invalid_token', 'The link token is not valid');
  return { sessionId, teamId, userId, isExpired: verified.isExpired };
}
