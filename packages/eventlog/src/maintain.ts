import { addDays, dropDailyPartitions, ensureDailyPartitions, type Database } from '@pulsewire/database';

/** Days of partitions made ahead, so that a scheduler that is down for a while does no harm. */
const daysAhead = 7;

/**
 * Makes the log's partitions from `today` on and drops those older than `keepDays`, but never one that a consumer
 * has not passed yet. Gives the names of the dropped ones.
 */
export async function maintainLog(
  database: Database,
  options: { readonly today: string; readonly keepDays: number },
): Promise<readonly string[]> {
  await ensureDailyPartitions(database, 'log_events', { from: options.today, days: daysAhead });
  const oldestKept = addDays(options.today, -options.keepDays);
  const [pending] = await database.sql<{ day: string | null }[]>`
    SELECT min(p.day)::text AS day FROM log_positions p JOIN log_shards s USING (shard) WHERE p."offset" < s.next_offset`;
  const before = pending?.day && pending.day < oldestKept ? pending.day : oldestKept;
  return dropDailyPartitions(database, 'log_events', before);
}

/** How far a group is behind: events not recorded, and the age of the oldest of them in milliseconds (0 when none). */
export async function readLag({ sql }: Database, group: string): Promise<{ events: number; oldestAgeMs: number }> {
  const [row] = await sql<{ events: string; age: string }[]>`
    SELECT coalesce(sum(s.next_offset - p."offset"), 0)::text AS events,
           coalesce(max(extract(epoch FROM clock_timestamp()) * 1000 - e.written_at), 0)::bigint::text AS age
    FROM log_positions p JOIN log_shards s USING (shard)
    LEFT JOIN LATERAL (
      SELECT written_at FROM log_events e WHERE e.shard = p.shard AND e."offset" >= p."offset" AND e.day >= p.day ORDER BY e."offset" LIMIT 1
    ) e ON s.next_offset > p."offset"
    WHERE p.consumer = ${group}`;
  return { events: Number(row?.events ?? 0), oldestAgeMs: Math.max(0, Number(row?.age ?? 0)) };
}
