import { randomUUID } from 'node:crypto';
import { takeLock, run, type Tx } from '@pulsewire/database';
import { AppError } from '@pulsewire/kernel';
import { and, count, eq, gt } from 'drizzle-orm';
import { assertNotMixedWithDemo } from '../../connections/put-connection.ts';
import type { LinkContext } from '../../context/context.ts';
import { linkPageUrl } from './link-location.ts';
import { linkTokenLifeMs, signLinkToken } from './link-token.ts';
import { linkTokenOptions } from './session.ts';
import { linkSessions } from '../../model/tables.ts';
import { lockUser } from '../../users/find-user.ts';

export interface NewLinkSession {
  readonly userId: string;
  readonly provider: string | null;
  readonly redirectUrl: string | null;
  readonly filterOnProviders: readonly string[] | null;
  readonly onError: 'redirect' | null;
  readonly onClose: 'redirect' | null;
}

/** Link tokens that may be valid at the same time without a connection. */
export const liveSessionsMax = { user: 50, team: 20_000 } as const;

function tooManySessions(of: keyof typeof liveSessionsMax): AppError {
  return new AppError({
    code: 'link_tokens_exhausted',
    kind: 'rate_limited',
    message: `A ${of} may have ${liveSessionsMax[of]} valid link tokens; use one of them, or wait until some expire`,
    retryable: true,
    retryAfterMs: 60_000,
  });
}

// The user is locked by the caller and the team is locked here: otherwise concurrent requests would each count one session too few.
async function assertSessionLimit({ sql, orm }: Tx, { teamId, userId, now }: { teamId: string; userId: string; now: Date }): Promise<void> {
  const isOpen = and(eq(linkSessions.userId, userId), gt(linkSessions.expiresAt, now), eq(linkSessions.state, 'open'));
  const [ofUser] = await run(orm.select({ count: count() }).from(linkSessions).where(isOpen));
  if ((ofUser?.count ?? 0) >= liveSessionsMax.user) throw tooManySessions('user');
  await takeLock({ sql }, 'named', `link_sessions:${teamId}`);
  // Counts used sessions too, so that the index suffices, and stops counting at the limit.
  const [ofTeam] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM link_sessions WHERE team_id = ${teamId} AND expires_at > ${now.toISOString()} LIMIT ${liveSessionsMax.team}) s`;
  if ((ofTeam?.count ?? 0) >= liveSessionsMax.team) throw tooManySessions('team');
}

/**
 * Opens a link session for a live user and signs its token. Throws AppError `user_not_found`, `user_deleted`, `user_is_demo` or
 * `link_tokens_exhausted`.
 */
export async function createLinkSession(
  context: LinkContext,
  teamId: string,
  session: NewLinkSession,
): Promise<{ readonly linkToken: string; readonly linkWebUrl: string }> {
  const sessionId = randomUUID();
  const issuedAt = context.clock.now();
  const expiresAt = new Date(issuedAt.getTime() + linkTokenLifeMs);
  const { userId } = session;
  await context.database.transaction(async (tx) => {
    await lockUser(tx, teamId, userId);
    await assertNotMixedWithDemo(tx, teamId, userId);
    await assertSessionLimit(tx, { teamId, userId, now: issuedAt });
    const filterOnProviders = session.filterOnProviders && [...session.filterOnProviders];
    const values = { ...session, sessionId, teamId, filterOnProviders, state: 'open', createdAt: issuedAt, expiresAt } as const;
    await run(tx.orm.insert(linkSessions).values(values));
  });
  const linkToken = await signLinkToken({ sessionId, teamId, userId }, { ...linkTokenOptions(context), issuedAt });
  return { linkToken, linkWebUrl: linkPageUrl(context, linkToken) };
}
