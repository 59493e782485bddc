import type { Executor, Tx } from '@pulsewire/database';

/** The practice does not take this person: the request is forgotten, and a connection of before stays. False when there is none. */
export async function declineEmailLink({ sql }: Executor, linkId: string): Promise<boolean> {
  const rows = await sql`DELETE FROM email_links WHERE link_id = ${linkId} RETURNING 1 AS deleted`;
  return rows.length > 0;
}

/** Forgets what a user has asked for: of one provider, or of all (null). False when there was nothing. The user is locked by the caller. */
export async function dropEmailLinks(
  { sql }: Tx,
  { teamId, userId, provider }: { readonly teamId: string; readonly userId: string; readonly provider: string | null },
): Promise<boolean> {
  const rows = await sql`
    DELETE FROM email_links WHERE team_id = ${teamId} AND user_id = ${userId} AND (${provider}::text IS NULL OR provider = ${provider})
    RETURNING 1 AS deleted`;
  return rows.length > 0;
}
