import { advisoryLocks, run, type Tx } from '@pulsewire/database';
import { eq } from 'drizzle-orm';
import type { Clock } from '@pulsewire/kernel';
import { teams } from '../../model/tables.ts';
import { linkError } from '../session/link-error.ts';

/**
 * Throws a link error `duplicate_connection` when the team rejects duplicates and another of its users has linked or requested this
 * address. The person's id at the provider is not known yet; it is checked when the practice confirms.
 */
export async function assertAddressNotLinked(
  { sql, orm }: Tx,
  clock: Clock,
  {
    teamId,
    userId,
    provider,
    email,
  }: { readonly teamId: string; readonly userId: string; readonly provider: string; readonly email: string },
): Promise<void> {
  const [team] = await run(orm.select({ rejects: teams.rejectDuplicateConnection }).from(teams).where(eq(teams.teamId, teamId)));
  if (!team?.rejects) return;
  // Two users may request the same address concurrently; the second must see the first's row.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(lower(${`${teamId}:${provider}:${email}`}), ${advisoryLocks.named}))`;
  const [other] = await sql`
    SELECT 1 FROM email_links WHERE team_id = ${teamId} AND provider = ${provider} AND lower(email) = lower(${email}) AND user_id <> ${userId}
      AND expires_at > ${clock.now().toISOString()}
    UNION ALL
    SELECT 1 FROM connections WHERE team_id = ${teamId} AND provider = ${provider} AND lower(external_user_id) = lower(${email}) AND user_id <> ${userId}
    LIMIT 1`;
  if (other) throw linkError('duplicate_connection', 'Another user of the team has linked or requested this address');
}
