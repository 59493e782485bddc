import type { Tx } from '@pulsewire/database';

/** Forgets what a user has asked for: of one provider, or of all (null). False when there was nothing. The user is locked by the caller. */
export async function deleteEmailLinks(
  { sql }: Tx,
  { teamId, userId, provider }: { readonly teamId: string; readonly userId: string; readonly provider: string | null },
): Promise<boolean> {
  const rows = await sql`
    DELETE FROM email_links WHERE team_id = ${teamId} AND user_id = ${userId} AND (${provider}::text IS NULL OR provider = ${provider})
    RETURNING 1 AS deleted`;
  return rows.length > 0;
}
