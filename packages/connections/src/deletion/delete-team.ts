import { run, type Database, type Executor } from '@pulsewire/database';
import { AppError, type Clock } from '@pulsewire/kernel';
import { and, asc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm';
import { undoDeletion } from './undo-user-deletion.ts';
import { erasureGraceMs } from '../model/erasure-grace.ts';
import { teams, users as usersTable } from '../model/tables.ts';
import { findTeam } from '../teams/team.ts';

const batchMax = 100;

export function teamNotFound(): AppError {
  return new AppError({ code: 'team_not_found', kind: 'not_found', message: 'Team not found' });
}

function undoRefused(message: string): AppError {
  return new AppError({ code: 'undo_refused', kind: 'invalid', message });
}

/**
 * Schedules a team for deletion: its keys stop working now, a job deletes its users (`listUsersOfDeletedTeams`), and the rest is erased
 * after the grace period. Repeating it changes nothing. Throws AppError `team_not_found`.
 */
export async function deleteTeam({ orm }: Executor, clock: Clock, teamId: string): Promise<void> {
  const deletedAt = sql`coalesce(${teams.deletedAt}, ${clock.now().toISOString()}::timestamptz)`;
  const rows = await run(
    orm.update(teams).set({ deletedAt, undoStartedAt: null }).where(eq(teams.teamId, teamId)).returning({ teamId: teams.teamId }),
  );
  if (rows.length === 0) throw teamNotFound();
}

/** Users of deleted teams who are not deleted yet, in the order of their ids, after `after`. */
export async function listUsersOfDeletedTeams(
  { orm }: Executor,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly { readonly teamId: string; readonly userId: string }[]> {
  const { teamId, userId, deletedAt } = usersTable;
  const isTeamDeleted = and(isNotNull(teams.deletedAt), isNull(teams.undoStartedAt));
  return run(
    orm
      .select({ teamId, userId })
      .from(teams)
      .innerJoin(usersTable, eq(teamId, teams.teamId))
      .where(and(isTeamDeleted, isNull(deletedAt), gt(userId, after)))
      .orderBy(asc(userId))
      .limit(limit),
  );
}

/**
 * Undoes a deletion: keys work again, and the users deleted with the team are restored without their connections. May be repeated after an
 * interruption. Throws AppError `team_not_found`, or `undo_refused` when the team is not deleted or the grace period is over.
 */
export async function undoTeamDeletion(database: Database, clock: Clock, teamId: string): Promise<void> {
  const team = await findTeam(database, teamId);
  if (!team) throw teamNotFound();
  const now = clock.now();
  const since = new Date(now.getTime() - erasureGraceMs).toISOString();
  // Hand-written SQL: the users below are found by the exact time, which a Date would truncate to milliseconds.
  const [begun] = await database.sql<{ deleted_at: string }[]>`
    UPDATE teams SET undo_started_at = ${now.toISOString()} WHERE team_id = ${teamId} AND deleted_at > ${since} RETURNING deleted_at`;
  if (!begun) throw undoRefused('This team is not deleted, or the grace period of its deletion is over');
  const nextUsers = () => database.sql<{ user_id: string }[]>`
    SELECT user_id FROM users WHERE team_id = ${teamId} AND deleted_at >= ${begun.deleted_at} LIMIT ${batchMax}`;
  for (let users = await nextUsers(); users.length > 0; users = await nextUsers())
    for (const { user_id: userId } of users)
      await undoDeletion(database, team, { userId }, { clock, sandboxUsersMax: Number.MAX_SAFE_INTEGER });
  await run(database.orm.update(teams).set({ deletedAt: null, undoStartedAt: null }).where(eq(teams.teamId, teamId)));
}
