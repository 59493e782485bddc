import type { Tx } from '@pulsewire/database';
import { linkError } from './link-error.ts';

interface Account {
  readonly teamId: string;
  readonly userId: string;
  readonly provider: string;
  readonly providerUserId: string | null;
}

/** Throws a link error `duplicate_connection` when another user of a team that minds it is connected to this account. */
export async function assertNoDuplicate({ sql }: Tx, { teamId, userId, provider, providerUserId }: Account): Promise<void> {
  if (providerUserId === null) return;
  const [team] = await sql<{ rejects: boolean }[]>`SELECT reject_duplicate_connection AS rejects FROM teams WHERE team_id = ${teamId}`;
  if (!team?.rejects) return;
  // Two users may link the same account at this moment; the second must see the first's row.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${teamId}:${provider}:${providerUserId}`}, 0))`;
  const [other] = await sql`
    SELECT 1 FROM connections WHERE team_id = ${teamId} AND provider = ${provider}
      AND provider_user_id = ${providerUserId} AND user_id <> ${userId} LIMIT 1`;
  if (other) throw linkError('duplicate_connection', 'Another user of the team is connected to this account');
}
