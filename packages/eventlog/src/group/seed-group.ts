import type { Database, Sql } from '@pulsewire/database';

/** Creates the group's positions on its first use: at the end, or at the first event of each shard that retention has kept. */
export async function seedGroup({ sql }: Database, group: string, from: 'start' | 'end'): Promise<void> {
  const [known] = await sql`SELECT 1 FROM log_positions WHERE consumer = ${group} LIMIT 1`;
  if (known) return;
  await sql`
    INSERT INTO log_positions (consumer, shard, "offset", day)
    SELECT ${group}, s.shard, coalesce(f."offset", s.next_offset), coalesce(f.day, s.day)
    FROM log_shards s LEFT JOIN LATERAL (
      SELECT e."offset", e.day FROM log_events e WHERE ${from === 'start'} AND e.shard = s.shard ORDER BY e."offset" LIMIT 1
    ) f ON true
    ON CONFLICT DO NOTHING`;
}

/** Adds positions for shards that were created while the group was being created. */
export async function seedNewShards(sql: Sql, group: string): Promise<void> {
  await sql`
    INSERT INTO log_positions (consumer, shard, "offset", day)
    SELECT ${group}, s.shard, g.begins_at, g.day
    FROM log_shards s
    CROSS JOIN LATERAL (SELECT min(begins_at) AS begins_at, (min(started_at) AT TIME ZONE 'UTC')::date - 1 AS day FROM log_generations WHERE shard = s.shard) g
    WHERE g.begins_at > 0
    ON CONFLICT DO NOTHING`;
}
