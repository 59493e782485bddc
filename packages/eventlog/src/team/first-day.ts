import { plainArray, type Executor } from '@pulsewire/database';
import type { TeamPoint } from './read-team.ts';

/** The first day of the log that has an event at or after one of these points; null when there is none. */
export async function firstDay({ sql }: Executor, points: readonly TeamPoint[]): Promise<string | null> {
  if (points.length === 0) return null;
  const [row] = await sql<{ day: string | null }[]>`
    SELECT min(e.day)::text AS day
    FROM unnest(
      ${plainArray(points.map(({ shard }) => shard))}::int[], ${plainArray(points.map(({ offset }) => offset))}::bigint[]
    ) AS p(shard, "offset")
    CROSS JOIN LATERAL (SELECT day FROM log_events l WHERE l.shard = p.shard AND l."offset" >= p."offset" ORDER BY l."offset" LIMIT 1) e`;
  return row?.day ?? null;
}
