import { eq } from 'drizzle-orm';
import { run, type Database, type Sql } from '@pulsewire/database';
import { logPositions } from '../model/tables.ts';

/** Creates the group's positions on its first use: at the end, or at the oldest retained event of each shard. */
export async function seedGroup({ sql, orm }: Database, group: string, from: 'start' | 'end'): Promise<void> {
  const { consumer, shard } = logPositions;
  const [known] = await run(orm.select({ shard }).from(logPositions).where(eq(consumer, group)).limit(1));
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
