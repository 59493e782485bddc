import type { Clock } from '@pulsewire/kernel';
import { textArray, type Database, type Executor } from '@pulsewire/database';
import { erasureGraceMs } from '../model/erasure-grace.ts';

/** A user that was erased. */
export interface Erasure {
  readonly userId: string;
  readonly teamId: string;
  readonly erasedAt: Date;
}

/** Erasures in the order of user ids, after the given one. */
export async function listErasures({ sql }: Executor, after: string | null, limit: number): Promise<readonly Erasure[]> {
  const rows = await sql<{ user_id: string; team_id: string; erased_at: string }[]>`
    SELECT user_id, team_id, to_char(erased_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS erased_at FROM erasures
    WHERE ${after}::uuid IS NULL OR user_id > ${after}::uuid ORDER BY user_id LIMIT ${limit}`;
  return rows.map((row) => ({ userId: row.user_id, teamId: row.team_id, erasedAt: new Date(row.erased_at) }));
}

/**
 * Records erasures that this database may have forgotten, and marks those of their users that exist for erasure at the next run, beyond
 * undoing. Gives the number of users that were marked. Idempotent.
 */
export function replayErasures(database: Database, clock: Clock, erasures: readonly Erasure[]): Promise<number> {
  const userIds = textArray(erasures.map(({ userId }) => userId));
  const teamIds = textArray(erasures.map(({ teamId }) => teamId));
  const times = textArray(erasures.map(({ erasedAt }) => erasedAt.toISOString()));
  const due = new Date(clock.now().getTime() - erasureGraceMs).toISOString();
  return database.transaction(async ({ sql }) => {
    await sql`
      INSERT INTO erasures (user_id, team_id, erased_at)
      SELECT * FROM unnest(${userIds}::uuid[], ${teamIds}::uuid[], ${times}::timestamptz[]) ON CONFLICT DO NOTHING`;
    const marked = await sql`
      UPDATE users u SET deleted_at = ${due} FROM unnest(${userIds}::uuid[], ${teamIds}::uuid[]) AS e(user_id, team_id)
      WHERE u.user_id = e.user_id AND u.team_id = e.team_id AND (u.deleted_at IS NULL OR u.deleted_at > ${due}) RETURNING u.user_id`;
    return marked.length;
  });
}
