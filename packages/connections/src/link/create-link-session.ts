import { randomUUID } from 'node:crypto';
import type { LinkContext } from '../context.ts';
import { assertSameKind } from '../connections/put-connection.ts';
import { lockUser } from '../users/find-user.ts';
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

/** Opens a link session for a live user and signs its token. Throws AppError `user_not_found`, `user_deleted` or `user_is_demo`. */
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
    await assertSameKind(tx, teamId, userId);
    await tx.sql`
      INSERT INTO link_sessions (session_id, team_id, user_id, provider, redirect_url, filter_on_providers, on_error, on_close, state, created_at, expires_at)
      VALUES (${sessionId}, ${teamId}, ${userId}, ${session.provider}, ${session.redirectUrl},
        ${session.filterOnProviders === null ? null : [...session.filterOnProviders]}::text[], ${session.onError}, ${session.onClose}, 'open',
        ${issuedAt.toISOString()}, ${expiresAt.toISOString()})`;
  });
  const linkToken = signLinkToken({ sessionId, teamId, userId }, { ...linkTokenOptions(context), issuedAt });
  return { linkToken, linkWebUrl: linkPageUrl(context, linkToken) };
}
