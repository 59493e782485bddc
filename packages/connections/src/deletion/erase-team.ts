import type { Clock } from '@pulsewire/kernel';
import type { Executor, Tx } from '@pulsewire/database';
import { erasureGraceMs } from '../model/erasure-grace.ts';

const before = (clock: Clock) => new Date(clock.now().getTime() - erasureGraceMs).toISOString();

/** Deleted teams whose grace period is over and whose users are all erased, oldest first. */
export async function listTeamsToErase({ sql }: Executor, clock: Clock, limit: number): Promise<readonly string[]> {
  const rows = await sql<{ team_id: string }[]>`
    SELECT team_id FROM teams t WHERE deleted_at <= ${before(clock)} AND undo_started_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM users u WHERE u.team_id = t.team_id)
    ORDER BY deleted_at LIMIT ${limit}`;
  return rows.map(({ team_id: teamId }) => teamId);
}

/**
 * Removes what this package keeps of a deleted team without users, the team last. The other packages remove their part before. Gives
 * false, and does nothing, when the deletion was undone meanwhile or a user is left.
 */
export async function eraseTeam({ sql }: Tx, clock: Clock, teamId: string): Promise<boolean> {
  const [row] = await sql`
    SELECT 1 FROM teams WHERE team_id = ${teamId} AND deleted_at <= ${before(clock)} AND undo_started_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM users WHERE team_id = ${teamId}) FOR UPDATE`;
  if (!row) return false;
  await sql`DELETE FROM link_sessions WHERE team_id = ${teamId}`;
  await sql`DELETE FROM link_consents WHERE team_id = ${teamId}`;
  await sql`DELETE FROM email_links WHERE team_id = ${teamId}`;
  await sql`DELETE FROM deregistrations WHERE team_id = ${teamId}`;
  await sql`DELETE FROM bulk_turns WHERE team_id = ${teamId}`;
  await sql`DELETE FROM bulk_items WHERE operation_id IN (SELECT operation_id FROM bulk_operations WHERE team_id = ${teamId})`;
  await sql`DELETE FROM bulk_operations WHERE team_id = ${teamId}`;
  await sql`DELETE FROM team_oauth_credentials WHERE team_id = ${teamId}`;
  await sql`DELETE FROM team_scope_requirements WHERE team_id = ${teamId}`;
  await sql`DELETE FROM api_keys WHERE team_id = ${teamId}`;
  await sql`
    INSERT INTO team_erasures (team_id, erased_at) VALUES (${teamId}, ${clock.now().toISOString()}) ON CONFLICT DO NOTHING`;
  await sql`DELETE FROM teams WHERE team_id = ${teamId}`;
  return true;
}
