import type { Database, Sql } from '@pulsewire/database';
import { firstDay, firstShardCount, readShardCount, type TeamPoint } from '@pulsewire/eventlog';

const ofUsedEndpoint = (sql: Sql, disabledBefore: string) => sql`NOT (e.is_disabled AND e.disabled_at < ${disabledBefore}::timestamptz)`;
const runningReplays = (sql: Sql, disabledBefore: string) => sql`
  webhook_replays r JOIN webhook_endpoints e USING (endpoint_id) WHERE r.status = 'running' AND ${ofUsedEndpoint(sql, disabledBefore)}`;

/**
 * The first day of the log whose events waiting deliveries or running replays still need; null when none do. Deliveries of endpoints
 * disabled before `disabledBefore` do not count, because those may never be enabled again.
 */
export async function oldestPendingDay(database: Database, disabledBefore: string): Promise<string | null> {
  const { sql } = database;
  const running = runningReplays(sql, disabledBefore);
  // Replays are read before rows: a replay that advances between the two reads has written rows for what it passed.
  const [notBegun] = await sql<{ day: string | null }[]>`
    SELECT min((r.since AT TIME ZONE 'UTC')::date)::text AS day FROM ${running} AND r.progress IS NULL`;
  const left = await firstDay(database, await pointsLeft(database, disabledBefore));
  const [waiting] = await sql<{ day: string | null }[]>`
    SELECT min(p.log_day)::text AS day FROM webhook_pending p JOIN webhook_endpoints e USING (endpoint_id)
    WHERE p.shard >= 0 AND ${ofUsedEndpoint(sql, disabledBefore)}`;
  return [notBegun?.day, left, waiting?.day].filter((day) => typeof day === 'string').sort()[0] ?? null;
}

/** The lowest position of running replays in each shard; shards added since are read from their first event. */
async function pointsLeft(database: Database, disabledBefore: string): Promise<readonly TeamPoint[]> {
  const { sql } = database;
  const running = runningReplays(sql, disabledBefore);
  const [least] = await sql<{ shard_count: number | null }[]>`
    SELECT min(coalesce((r.progress->>'shardCount')::int, ${firstShardCount})) AS shard_count FROM ${running} AND r.progress IS NOT NULL`;
  const rows = await sql<{ shard: number; offset: string }[]>`
    SELECT (p.point->>'shard')::int AS shard, min((p.point->>'offset')::bigint) AS "offset"
    FROM (SELECT r.progress FROM ${running} AND r.progress IS NOT NULL) r
    CROSS JOIN LATERAL jsonb_array_elements(r.progress->'points') AS p(point) GROUP BY 1`;
  const shardCount = await readShardCount(database);
  const known = least?.shard_count ?? shardCount;
  const added = Array.from({ length: Math.max(0, shardCount - known) }, (_, index) => ({ shard: known + index, offset: 0 }));
  return [...rows.map(({ shard, offset }) => ({ shard, offset: Number(offset) })), ...added];
}
