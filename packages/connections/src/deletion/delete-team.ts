import { AppError, type Clock } from '@pulsewire/kernel';
import type { Database, Executor } from '@pulsewire/database';
import { erasureGraceMs } from '../model/erasure-grace.ts';
import { findTeam } from '../teams/team.ts';
import { undoDeletion } from './undo-user-deletion.ts';

const batchMax = 100;

export function teamNotFound(): AppError {
  return new AppError({ code: 'team_not_found', kind: 'not_found', message: 'There is no team with this id' });
}

function undoRefused(message: string): AppError {
  return new AppError({ code: 'undo_refused', kind: 'invalid', message });
}

/**
 * Schedules a team for deletion: its keys end at once, its users are deleted by a job (`listUsersOfDeletedTeams`), and what is left goes after the grace
 * period. A repeat changes nothing. Throws AppError `team_not_found`.
 */
export async function deleteTeam({ sql }: Executor, clock: Clock, teamId: string): Promise<void> {
  const rows = await sql`
    UPDATE teams SET deleted_at = coalesce(deleted_at, ${clock.now().toISOString()}::timestamptz), undo_started_at = NULL
    WHERE team_id = ${teamId} RETURNING team_id`;
  if (rows.length === 0) throw teamNotFound();
}

/** Users of deleted teams that are not deleted themselves, in the order of their ids, behind `after`. */
export async function listUsersOfDeletedTeams(
  { sql }: Executor,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly { readonly teamId: string; readonly userId: string }[]> {
  return sql<{ teamId: string; userId: string }[]>`
    SELECT u.team_id AS "teamId", u.user_id AS "userId" FROM teams t JOIN users u USING (team_id)
    WHERE t.deleted_at IS NOT NULL AND t.undo_started_at IS NULL AND u.deleted_at IS NULL AND u.user_id > ${after}
    ORDER BY u.user_id LIMIT ${limit}`;
}

/**
 * Takes a deletion back: keys work again and the users that were deleted with the team are restored, without their connections. May be
 * repeated when it was cut off. Throws AppError `team_not_found`, or `undo_refused` when the team is not deleted or the grace period is over.
 */
export async function undoTeamDeletion(database: Database, clock: Clock, teamId: string): Promise<void> {
  const team = await findTeam(database, teamId);
  if (!team) throw teamNotFound();
  const now = clock.now();
  const since = new Date(now.getTime() - erasureGraceMs).toISOString();
  const [begun] = await database.sql<{ deleted_at: string }[]>`
    UPDATE teams SET undo_started_at = ${now.toISOString()} WHERE team_id = ${teamId} AND deleted_at > ${since} RETURNING deleted_at`;
  if (!begun) throw undoRefused('This team is not deleted, or the grace period of its deletion is over');
  const nextUsers = () => database.sql<{ user_id: string }[]>`
    SELECT user_id FROM users WHERE team_id = ${teamId} AND deleted_at >= ${begun.deleted_at} LIMIT ${batchMax}`;
  for (let users = await nextUsers(); users.length > 0; users = await nextUsers())
    for (const { user_id: userId } of users)
      await undoDeletion(database, team, { userId }, { clock, sandboxUsersMax: Number.MAX_SAFE_INTEGER });
  await database.sql`UPDATE teams SET deleted_at = NULL, undo_started_at = NULL WHERE team_id = ${teamId}`;
}
