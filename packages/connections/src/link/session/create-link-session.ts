import { randomUUID } from 'node:crypto';
import { AppError } from '@pulsewire/kernel';
import { takeLock, type Tx } from '@pulsewire/database';
import { assertNotMixedWithDemo } from '../../connections/put-connection.ts';
import type { LinkContext } from '../../context/context.ts';
import { lockUser } from '../../users/find-user.ts';
import { linkPageUrl } from './link-location.ts';
import { linkTokenLifeMs, signLinkToken } from './link-token.ts';
import { linkTokenOptions } from './session.ts';

export interface NewLinkSession {
  readonly userId: string;
  readonly provider: string | null;
  readonly redirectUrl: string | null;
  readonly filterOnProviders: readonly string[] | null;
  readonly onError: 'redirect' | null;
  readonly onClose: 'redirect' | null;
}

/** Link tokens that live at the same time and have not made a connection. */
export const liveSessionsMax = { user: 50, team: 20_000 } as const;

function tooManySessions(of: keyof typeof liveSessionsMax): AppError {
  return new AppError({
    code: 'link_tokens_exhausted',
    kind: 'rate_limited',
    message: `A ${of} may have ${liveSessionsMax[of]} live link tokens; use one, or wait until some expire`,
    retryable: true,
    retryAfterMs: 60_000,
  });
}

// The user is locked, and the team is here: requests at the same moment would each see room for one more.
async function assertRoom({ sql }: Tx, { teamId, userId, now }: { teamId: string; userId: string; now: string }): Promise<void> {
  const [ofUser] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM link_sessions WHERE user_id = ${userId} AND expires_at > ${now} AND state = 'open'`;
  if ((ofUser?.count ?? 0) >= liveSessionsMax.user) throw tooManySessions('user');
  await takeLock({ sql }, 'named', `link_sessions:${teamId}`);
  // Used ones count here: from the index alone, and no further than the limit.
  const [ofTeam] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM link_sessions WHERE team_id = ${teamId} AND expires_at > ${now} LIMIT ${liveSessionsMax.team}) s`;
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
    await assertRoom(tx, { teamId, userId, now: issuedAt.toISOString() });
    await tx.sql`
      INSERT INTO link_sessions (session_id, team_id, user_id, provider, redirect_url, filter_on_providers, on_error, on_close, state, created_at, expires_at)
      VALUES (${sessionId}, ${teamId}, ${userId}, ${session.provider}, ${session.redirectUrl},
        ${session.filterOnProviders === null ? null : [...session.filterOnProviders]}::text[], ${session.onError}, ${session.onClose}, 'open',
        ${issuedAt.toISOString()}, ${expiresAt.toISOString()})`;
  });
  const linkToken = await signLinkToken({ sessionId, teamId, userId }, { ...linkTokenOptions(context), issuedAt });
  return { linkToken, linkWebUrl: linkPageUrl(context, linkToken) };
}
