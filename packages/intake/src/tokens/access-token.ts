import { jwtVerify, SignJWT } from 'jose';
import { AppError, isUuid, type Clock } from '@pulsewire/kernel';

/** The identity of a signed-in phone. */
export interface PhoneClaims {
  readonly sessionId: string;
  readonly teamId: string;
  readonly userId: string;
  readonly appId: string;
}

export interface TokenOptions {
  readonly secret: string;
  readonly clock: Clock;
}

/** Sixty minutes. */
export const accessTokenSeconds = 3600;

const tokenLengthMax = 2000;
const protectedHeader = { alg: 'HS256', typ: 'JWT' };
// Tokens of the link endpoints are signed with the same secret but have a different audience.
const audience = 'phone-sdk';
const scope = 'sdk';
const keyOf = (secret: string): Uint8Array => new TextEncoder().encode(secret);

export const tokenInvalid = () =>
  new AppError({ code: 'phone_token_invalid', kind: 'unauthorized', message: 'The token is not valid or has expired' });

/** Signs an access token, valid only for the phone endpoints. */
export function signAccessToken({ sessionId, teamId, userId, appId }: PhoneClaims, { secret, clock }: TokenOptions): Promise<string> {
  const issuedAt = Math.floor(clock.now().getTime() / 1000);
  return new SignJWT({ scope, app_id: appId, team_id: teamId, sid: sessionId })
    .setProtectedHeader(protectedHeader)
    .setAudience(audience)
    .setSubject(userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + accessTokenSeconds)
    .sign(keyOf(secret));
}

/** The claims of a token that we signed. Throws AppError `phone_token_invalid` (401) for any other text. */
export async function readAccessToken(token: string, { secret, clock }: TokenOptions): Promise<PhoneClaims> {
  // A signature has one spelling: readers of base64 also accept padding, blanks and other unused bits.
  const [, , signature = ''] = token.split('.');
  if (token.length > tokenLengthMax || Buffer.from(signature, 'base64url').toString('base64url') !== signature) throw tokenInvalid();
  const verified = await jwtVerify(token, keyOf(secret), {
    algorithms: [protectedHeader.alg],
    audience,
    requiredClaims: ['sub', 'exp'],
    currentDate: clock.now(),
  }).catch(() => null);
  const { sub, sid, team_id: teamId, app_id: appId, scope: granted } = verified?.payload ?? {};
  const ids = [sub, sid, teamId].map((id) => (typeof id === 'string' && isUuid(id) ? id : null));
  const [userId, sessionId, team] = ids;
  if (!userId || !sessionId || !team || granted !== scope || typeof appId !== 'string') throw tokenInvalid();
  return { sessionId, userId, teamId: team, appId };
}
