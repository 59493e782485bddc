import type { Clock } from '@pulsewire/kernel';
import { textArray, type Database, type Executor } from '@pulsewire/database';
import { erasureGraceMs } from '../model/erasure-grace.ts';

/** A team that was erased. */
export interface TeamErasure {
  readonly teamId: string;
  readonly erasedAt: Date;
}

/** Erasures in the order of team ids, after the given one. */
export async function listTeamErasures({ sql }: Executor, after: string | null, limit: number): Promise<readonly TeamErasure[]> {
  const rows = await sql<{ team_id: string; erased_at: string }[]>`
    SELECT team_id, to_char(erased_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS erased_at FROM team_erasures
    WHERE ${after}::uuid IS NULL OR team_id > ${after}::uuid ORDER BY team_id LIMIT ${limit}`;
  return rows.map((row) => ({ teamId: row.team_id, erasedAt: new Date(row.erased_at) }));
}

/**
 * Records erasures of teams that this database may have forgotten. Those that exist are deleted with all of their users, beyond undoing: their
 * keys end at once. Gives the number of teams that were marked. Idempotent.
 */
export function replayTeamErasures(database: Database, clock: Clock, erasures: readonly TeamErasure[]): Promise<number> {
  const teamIds = textArray(erasures.map(({ teamId }) => teamId));
  const times = textArray(erasures.map(({ erasedAt }) => erasedAt.toISOString()));
  const due = new Date(clock.now().getTime() - erasureGraceMs).toISOString();
  return database.transaction(async ({ sql }) => {
    await sql`
      INSERT INTO team_erasures (team_id, erased_at)
      SELECT * FROM unnest(${teamIds}::uuid[], ${times}::timestamptz[]) ON CONFLICT DO NOTHING`;
    const marked = await sql`
      UPDATE teams SET deleted_at = ${due}, undo_started_at = NULL
      WHERE team_id = ANY(${teamIds}::uuid[]) AND (deleted_at IS NULL OR deleted_at > ${due} OR undo_started_at IS NOT NULL) RETURNING team_id`;
    return marked.length;
  });
}
