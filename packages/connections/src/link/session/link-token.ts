import { createHmac, timingSafeEqual } from 'node:crypto';
import { isUuid, type Clock } from '@pulsewire/kernel';
import { linkError } from './link-error.ts';

/** Claims of a link token; everything that may change lives in the session row. */
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

// Far above any token of ours, so that a huge one is not even decoded.
const tokenLengthMax = 2_000;
const header = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');

function sign(input: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(input).digest();
}

/** A JWT (HS256). It is the OAuth `state` too, so it holds nothing that a provider must not see. */
export function signLinkToken(claims: LinkClaims, options: LinkTokenOptions & { readonly issuedAt: Date }): string {
  const issuedAt = Math.floor(options.issuedAt.getTime() / 1000);
  const payload = {
    aud: options.audience,
    sub: claims.sessionId,
    team_id: claims.teamId,
    user_id: claims.userId,
    iat: issuedAt,
    exp: issuedAt + linkTokenLifeMs / 1000,
  };
  const input = `${header}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}`;
  return `${input}.${sign(input, options.secret).toString('base64url')}`;
}

function readPayload(text: string): Record<string, unknown> | null {
  try {
    const payload: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/**
 * The claims of a token that we signed, and whether its time is over: whoever asks may still need to know where to send the browser.
 * Throws a link error `invalid_token` for anything else. The header must be exactly ours, so no other algorithm can be asked for.
 */
export function readLinkToken(
  token: string,
  options: LinkTokenOptions & { readonly clock: Clock },
): LinkClaims & { readonly isExpired: boolean } {
  const invalid = () => linkError('invalid_token', 'The link token is not valid');
  const [head, body, signature, ...rest] = token.length > tokenLengthMax ? [] : token.split('.');
  if (head !== header || body === undefined || signature === undefined || rest.length > 0) throw invalid();
  // As texts: a decoder overlooks what is no base64url, so that one token would have many spellings.
  const given = Buffer.from(signature);
  const expected = Buffer.from(sign(`${head}.${body}`, options.secret).toString('base64url'));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw invalid();
  const { aud, sub, team_id: teamId, user_id: userId, exp } = readPayload(body) ?? {};
  const isOurs =
    aud === options.audience && [sub, teamId, userId].every((id) => typeof id === 'string' && isUuid(id)) && typeof exp === 'number';
  if (!isOurs) throw invalid();
  return {
    sessionId: sub as string,
    teamId: teamId as string,
    userId: userId as string,
    isExpired: exp * 1000 <= options.clock.now().getTime(),
  };
}
