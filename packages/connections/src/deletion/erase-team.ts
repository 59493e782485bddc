import { eq, inArray } from 'drizzle-orm';
import type { Clock } from '@pulsewire/kernel';
import { run, type Executor, type Tx } from '@pulsewire/database';
import { bulkItems, bulkOperations, queuedHistory } from '../model/bulk-tables.ts';
import { erasureGraceMs } from '../model/erasure-grace.ts';
import {
  apiKeys,
  deregistrations,
  emailLinks,
  linkConsents,
  linkSessions,
  teamErasures,
  teamOAuthCredentials,
  teamScopeRequirements,
  teams,
} from '../model/tables.ts';

const ownTables = [
  linkSessions,
  linkConsents,
  emailLinks,
  deregistrations,
  queuedHistory,
  bulkOperations,
  teamOAuthCredentials,
  teamScopeRequirements,
  apiKeys,
] as const;

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
 * Deletes everything that this package stores about a deleted team without users, the team last. The other packages delete their part
 * before this. Returns false, and does nothing, when the deletion was undone in the meantime or a user is left.
 */
export async function eraseTeam({ sql, orm }: Tx, clock: Clock, teamId: string): Promise<boolean> {
  const [row] = await sql`
    SELECT 1 FROM teams WHERE team_id = ${teamId} AND deleted_at <= ${before(clock)} AND undo_started_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM users WHERE team_id = ${teamId}) FOR UPDATE`;
  if (!row) return false;
  const operations = orm.select({ operationId: bulkOperations.operationId }).from(bulkOperations).where(eq(bulkOperations.teamId, teamId));
  await run(orm.delete(bulkItems).where(inArray(bulkItems.operationId, operations)));
  for (const table of ownTables) await run(orm.delete(table).where(eq(table.teamId, teamId)));
  await run(orm.insert(teamErasures).values({ teamId, erasedAt: clock.now() }).onConflictDoNothing());
  await run(orm.delete(teams).where(eq(teams.teamId, teamId)));
  return true;
}
