import { gt } from 'drizzle-orm';
import type { Clock } from '@pulsewire/kernel';
import { run, textArray, type Database, type Executor } from '@pulsewire/database';
import { erasureGraceMs } from '../model/erasure-grace.ts';
import { erasures } from '../model/tables.ts';

/** A user that was erased. */
export interface Erasure {
  readonly userId: string;
  readonly teamId: string;
  readonly erasedAt: Date;
}

/** Erasures in the order of user ids, after the given one. */
export async function listErasures({ orm }: Executor, after: string | null, limit: number): Promise<readonly Erasure[]> {
  const isAfter = after === null ? undefined : gt(erasures.userId, after);
  return run(orm.select().from(erasures).where(isAfter).orderBy(erasures.userId).limit(limit));
}

/**
 * Records erasures that a restored database may not contain, and marks those of their users that exist for erasure at the next run; it can
 * no longer be undone. Returns how many users it marked. Idempotent.
 */
export function replayErasures(database: Database, clock: Clock, erased: readonly Erasure[]): Promise<number> {
  const userIds = textArray(erased.map(({ userId }) => userId));
  const teamIds = textArray(erased.map(({ teamId }) => teamId));
  const times = textArray(erased.map(({ erasedAt }) => erasedAt.toISOString()));
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
