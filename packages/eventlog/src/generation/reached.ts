import { plainArray, type Executor, type Sql } from '@pulsewire/database';
import type { ReadPoint } from '../model/types.ts';

/**
 * The next offset of a reader at `offset`: the same, or the first of a later generation when no events are left before that. Both arguments
 * are column names.
 */
export const reachedOffset = (sql: Sql, shard: string, offset: string) =>
  sql.unsafe(`
  greatest(${offset}, coalesce((
    SELECT max(g.begins_at) FROM log_generations g
    WHERE g.shard = ${shard} AND NOT EXISTS (
      SELECT FROM log_generations e
      WHERE e.shard = g.shard AND e.generation < g.generation AND greatest(${offset}, e.begins_at) < e.ends_at)), 0))`);

/** The points, each advanced to the generation that contains the next event. */
export async function reachedPoints({ sql }: Executor, points: readonly ReadPoint[]): Promise<readonly ReadPoint[]> {
  const rows = await sql<{ shard: number; offset: string; day: string }[]>`
    SELECT v.shard, ${reachedOffset(sql, 'v.shard', 'v."offset"')} AS "offset", v.day
    FROM unnest(
      ${plainArray(points.map(({ shard }) => shard))}::smallint[], ${plainArray(points.map(({ offset }) => offset))}::bigint[],
      ${plainArray(points.map(({ day }) => day))}::date[]
    ) AS v(shard, "offset", day)`;
  return rows.map(({ shard, offset, day }) => ({ shard, offset: Number(offset), day }));
}
