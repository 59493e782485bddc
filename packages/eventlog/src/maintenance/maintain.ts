import { dropDailyPartitions, ensureDailyPartitions, type Database } from '@pulsewire/database';
import { addDays, sleep, type Metrics } from '@pulsewire/kernel';
import { Type } from 'typebox';
import { everyShard, newestPosition, newestShard } from '../model/newest-row.ts';

/** Days of partitions created ahead, so that a scheduler outage does no harm. */
const daysAhead = 7;

/**
 * Creates the log's partitions from `today` on and drops those older than `keepDays`, except those that a consumer has not passed yet and
 * those from `neededFrom` on, the first day whose events are still needed elsewhere. Returns the names of the dropped ones.
 */
export async function maintainLog(
  database: Database,
  options: { readonly today: string; readonly keepDays: number; readonly neededFrom?: string | null },
): Promise<readonly string[]> {
  await ensureDailyPartitions(database, 'log_events', { from: options.today, days: daysAhead });
  const oldestKept = addDays(options.today, -options.keepDays);
  const [pending] = await database.sql<{ day: string | null }[]>`
    SELECT min(p.day)::text AS day
    FROM log_positions p JOIN log_shards s USING (shard) JOIN log_generations g USING (shard)
    WHERE greatest(p."offset", g.begins_at) < coalesce(g.ends_at, s.next_offset)`;
  const [before = oldestKept] = [oldestKept, pending?.day, options.neededFrom].filter((day) => typeof day === 'string').sort();
  return dropDailyPartitions(database, 'log_events', before);
}

/** The lag of a group: the number of events not recorded, and the age of the oldest in milliseconds (0 when none). */
export async function readLag({ sql }: Database, group: string): Promise<{ events: number; oldestAgeMs: number }> {
  const [row] = await sql<{ events: string; age: string }[]>`
    WITH behind AS (
      SELECT p.shard, p."offset", p.day, sum(greatest(0, coalesce(g.ends_at, s.next_offset) - greatest(p."offset", g.begins_at))) AS events
      FROM ${everyShard(sql)} o CROSS JOIN LATERAL ${newestPosition(sql, group, 'o.shard')} p CROSS JOIN LATERAL ${newestShard(sql, 'o.shard')} s
      JOIN log_generations g ON g.shard = o.shard
      GROUP BY p.shard, p."offset", p.day
    )
    SELECT coalesce(sum(b.events), 0)::text AS events,
           coalesce(max(extract(epoch FROM clock_timestamp()) * 1000 - e.written_at), 0)::bigint::text AS age
    FROM behind b LEFT JOIN LATERAL (
      SELECT written_at FROM log_events e WHERE e.shard = b.shard AND e."offset" >= b."offset" AND e.day >= b.day ORDER BY e."offset" LIMIT 1
    ) e ON b.events > 0`;
  return { events: Number(row?.events ?? 0), oldestAgeMs: Math.max(0, Number(row?.age ?? 0)) };
}

const everyMs = 5000;

/** Reports the lag of a group as metrics until the signal aborts. */
export async function reportLag(database: Database, group: string, metrics: Metrics, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const lag = await readLag(database, group).catch(() => null);
    if (lag !== null) {
      metrics.gauge('log_lag_events', lag.events, { group });
      metrics.gauge('log_oldest_unread_age_seconds', lag.oldestAgeMs / 1000, { group });
    }
    await sleep(everyMs, signal);
  }
}

/** How long the log is kept; to be spread into the settings of a service. */
export const retentionConfig = {
  logDays: {
    env: 'RETENTION_LOG_DAYS',
    schema: Type.Integer({ minimum: 7, maximum: 365, default: 30 }),
    unit: 'days',
    description:
      'How long events stay in the log; those that a consumer still needs stay longer, and no endpoint may retry for longer. API and scheduler need the same value.',
  },
} as const;
