import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { and, eq, or, sql } from 'drizzle-orm';
import type { Clock } from '@pulsewire/kernel';
import { getUser, mayAct } from '@pulsewire/connections';
import { run, type Database } from '@pulsewire/database';
import { phoneSessions } from '../model/tables.ts';
import { accessTokenSeconds, readAccessToken, signAccessToken, tokenInvalid, type PhoneClaims, type TokenOptions } from './access-token.ts';

export interface TokenContext extends TokenOptions {
  readonly database: Database;
  readonly clock: Clock;
}

/** As the endpoints return it. */
export interface PhoneTokens {
  readonly access_token: string;
  readonly token_type: 'bearer';
  readonly refresh_token: string | null;
  readonly expires_in: number;
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
const newRefreshToken = () => `prt_${randomBytes(32).toString('base64url')}`;

/**
 * Signs a phone in for a user of a team. Without `isRefreshable` only an access token is issued. Throws AppError `user_not_found` and
 * `user_deleted`.
 */
export async function openPhoneSession(
  context: TokenContext,
  options: { readonly teamId: string; readonly userId: string; readonly appId: string; readonly isRefreshable: boolean },
): Promise<PhoneTokens> {
  const { database, clock } = context;
  const { teamId, userId, appId, isRefreshable } = options;
  await getUser(database, teamId, userId);
  const sessionId = randomUUID();
  const refreshToken = isRefreshable ? newRefreshToken() : null;
  const now = clock.now().toISOString();
  const refreshHash = refreshToken === null ? null : hashOf(refreshToken);
  await run(database.orm.insert(phoneSessions).values({ sessionId, teamId, userId, appId, refreshHash, createdAt: now, refreshedAt: now }));
  const accessToken = await signAccessToken({ sessionId, teamId, userId, appId }, context);
  return { access_token: accessToken, token_type: 'bearer', refresh_token: refreshToken, expires_in: accessTokenSeconds };
}

/** Of the session whose refresh token, or its predecessor, this is. */
function hasToken(token: string) {
  const presented = hashOf(token);
  return or(eq(phoneSessions.refreshHash, presented), eq(phoneSessions.formerHash, presented));
}

/** The user who is signed in with this refresh token; null: it is unknown. */
export async function userOfRefreshToken({ database }: Pick<TokenContext, 'database'>, token: string): Promise<string | null> {
  const [found] = await run(database.orm.select({ userId: phoneSessions.userId }).from(phoneSessions).where(hasToken(token)));
  return found?.userId ?? null;
}

/**
 * Exchanges a refresh token for new tokens. The previous token stays valid until its successor has been used, because the phone may never
 * have received the successor. Throws AppError `phone_token_invalid`.
 */
export async function refreshPhoneSession(context: TokenContext, refreshToken: string): Promise<PhoneTokens> {
  const { database, clock } = context;
  const [presented, next] = [hashOf(refreshToken), newRefreshToken()];
  const isPresented = hasToken(refreshToken);
  const [found] = await run(database.orm.select().from(phoneSessions).where(isPresented));
  if (!found || !(await mayAct(database, found))) throw tokenInvalid();
  const [session] = await run(
    database.orm
      .update(phoneSessions)
      .set({
        // The presented token is the one that the phone certainly has.
        formerHash: presented,
        refreshHash: hashOf(next),
        refreshedAt: clock.now().toISOString(),
      })
      .where(isPresented)
      .returning(),
  );
  if (!session) throw tokenInvalid();
  const accessToken = await signAccessToken(session, context);
  return { access_token: accessToken, token_type: 'bearer', refresh_token: next, expires_in: accessTokenSeconds };
}

/** Signs a phone out and invalidates its access tokens. False: there is no such session. */
export async function closePhoneSession({ database }: Pick<TokenContext, 'database'>, refreshToken: string): Promise<boolean> {
  const { count } = await run(database.orm.delete(phoneSessions).where(hasToken(refreshToken)));
  return count > 0;
}

/** The identity behind an access token. Throws AppError `phone_token_invalid` also when its session was closed, or user or team deleted. */
export async function authenticatePhone(context: TokenContext, token: string): Promise<PhoneClaims> {
  const claims = await readAccessToken(token, context);
  const { sessionId, teamId, userId } = phoneSessions;
  const isOwn = and(eq(sessionId, claims.sessionId), eq(teamId, claims.teamId), eq(userId, claims.userId));
  const [session] = await run(
    context.database.orm
      .select({ one: sql`1` })
      .from(phoneSessions)
      .where(isOwn),
  );
  if (!session || !(await mayAct(context.database, claims))) throw tokenInvalid();
  return claims;
}
