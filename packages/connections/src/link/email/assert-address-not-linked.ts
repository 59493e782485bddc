import type { Clock } from '@pulsewire/kernel';
import { advisoryLocks, type Tx } from '@pulsewire/database';
import { linkError } from '../session/link-error.ts';

/**
 * Throws a link error `duplicate_connection` when another user of a team that minds it has this address linked, or asked for it.
 * The provider's own id of the person is not known yet; it is looked at when the practice confirms.
 */
export async function assertAddressNotLinked(
  { sql }: Tx,
  clock: Clock,
  {
    teamId,
    userId,
    provider,
    email,
  }: { readonly teamId: string; readonly userId: string; readonly provider: string; readonly email: string },
): Promise<void> {
  const [team] = await sql<{ rejects: boolean }[]>`SELECT reject_duplicate_connection AS rejects FROM teams WHERE team_id = ${teamId}`;
  if (!team?.rejects) return;
  // Two users may ask for the same address at this moment; the second must see the first's row.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(lower(${`${teamId}:${provider}:${email}`}), ${advisoryLocks.named}))`;
  const [other] = await sql`
    SELECT 1 FROM email_links WHERE team_id = ${teamId} AND provider = ${provider} AND lower(email) = lower(${email}) AND user_id <> ${userId}
      AND expires_at > ${clock.now().toISOString()}
    UNION ALL
    SELECT 1 FROM connections WHERE team_id = ${teamId} AND provider = ${provider} AND lower(external_user_id) = lower(${email}) AND user_id <> ${userId}
    LIMIT 1`;
  if (other) throw linkError('duplicate_connection', 'Another user of the team has linked this address, or waits for it');
}
