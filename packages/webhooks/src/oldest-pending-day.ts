import type { Database } from '@pulsewire/database';

/**
 * The first day of the log of which deliveries that wait, or replays that run, still need events; null: none do. What waits for an
 * endpoint that was disabled before `disabledBefore` does not count: it may never be enabled again.
 */
export async function oldestPendingDay({ sql }: Database, disabledBefore: string): Promise<string | null> {
  const counts = sql`NOT (e.is_disabled AND e.disabled_at < ${disabledBefore}::timestamptz)`;
  const [row] = await sql<{ day: string | null }[]>`
    SELECT min(day)::text AS day FROM (
      SELECT min(p.log_day) AS day FROM webhook_pending p JOIN webhook_endpoints e USING (endpoint_id) WHERE p.shard >= 0 AND ${counts}
      UNION ALL
      SELECT min((r.since AT TIME ZONE 'UTC')::date) FROM webhook_replays r JOIN webhook_endpoints e USING (endpoint_id) WHERE r.status = 'running' AND ${counts}
    ) d`;
  return row?.day ?? null;
}
