import type { Executor } from '@pulsewire/database';
import { utcDay } from '@pulsewire/kernel';
import { everyShard, newestShard } from '../model/newest-row.ts';
import type { TeamPoint } from './read-team.ts';

/** Events of one statement get their times in no particular order; no later event is earlier by more than this. */
const marginMs = 60_000;

/**
 * Where to start in each shard to see every event written at or after an instant (ms since the epoch); a few older events may come first.
 * Uses a binary search over the day's part of each shard, because offsets and times grow together.
 */
export async function seekTime({ sql }: Executor, sinceMs: number): Promise<readonly TeamPoint[]> {
  const wantedMs = Math.max(0, Math.floor(sinceMs) - marginMs);
  const day = utcDay(wantedMs);
  const rows = await sql<{ shard: number; lo: string }[]>`
    WITH RECURSIVE search(shard, lo, hi) AS (
      SELECT s.shard, coalesce(b.lo, s.next_offset), coalesce(b.hi, s.next_offset)
      FROM ${everyShard(sql)} g CROSS JOIN LATERAL ${newestShard(sql, 'g.shard')} s
      CROSS JOIN LATERAL (
        SELECT (SELECT e."offset" FROM log_events e WHERE e.shard = s.shard AND e.day >= ${day} ORDER BY e."offset" LIMIT 1) AS lo,
               (SELECT e."offset" + 1 FROM log_events e WHERE e.shard = s.shard AND e.day = ${day} ORDER BY e."offset" DESC LIMIT 1) AS hi
      ) b
      UNION ALL
      SELECT w.shard, CASE WHEN w.is_early THEN w.mid + 1 ELSE w.lo END, CASE WHEN w.is_early THEN w.hi ELSE w.mid END
      FROM (
        SELECT n.shard, n.lo, n.hi, n.mid,
               (SELECT e.written_at FROM log_events e
                WHERE e.shard = n.shard AND e."offset" >= n.mid AND e.day = ${day} ORDER BY e."offset" LIMIT 1) < ${wantedMs}::bigint AS is_early
        FROM (SELECT shard, lo, hi, (lo + hi) / 2 AS mid FROM search WHERE lo < hi) n
      ) w
    )
    SELECT shard, max(lo) AS lo FROM search GROUP BY shard ORDER BY shard`;
  return rows.map((row) => ({ shard: row.shard, offset: Number(row.lo) }));
}
