import { gt } from 'drizzle-orm';
import type { Clock } from '@pulsewire/kernel';
import { run, textArray, type Database, type Executor } from '@pulsewire/database';
import { erasureGraceMs } from '../model/erasure-grace.ts';
import { teamErasures } from '../model/tables.ts';

/** A team that was erased. */
export interface TeamErasure {
  readonly teamId: string;
  readonly erasedAt: Date;
}

/** Erasures in the order of team ids, after the given one. */
export async function listTeamErasures({ orm }: Executor, after: string | null, limit: number): Promise<readonly TeamErasure[]> {
  const isAfter = after === null ? undefined : gt(teamErasures.teamId, after);
  return run(orm.select().from(teamErasures).where(isAfter).orderBy(teamErasures.teamId).limit(limit));
}

/**
 * Records erasures of teams that a restored database may not contain. Those that exist are deleted with all of their users, which can no
 * longer be undone: their keys stop working now. Returns how many teams it marked. Idempotent.
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
