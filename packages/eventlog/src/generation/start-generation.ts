import { AppError } from '@pulsewire/kernel';
import type { Tx } from '@pulsewire/database';
import { firstOffsetOf, generationOf } from '../model/offsets.ts';

/** Why a generation was started; the last reason changes the number of shards without a loss of history. */
export type GenerationReason = 'timeline' | 'system' | 'operator' | 'reshard';

export interface StartedGeneration {
  readonly generation: number;
  readonly shardCount: number;
}

/** The last generation: with 2^36 offsets each, 131,072 generations fit into safe integers. */
const generationMax = generationOf(Number.MAX_SAFE_INTEGER) - 1;

/**
 * Starts a generation in the caller's transaction: every shard continues at an offset that was never assigned. Waits for open appends and
 * blocks new ones until the transaction ends. The caller holds the row of `log_installation`. After any reason but `reshard`, consumers
 * must read their positions from the database again.
 */
export async function startGeneration(
  { sql }: Tx,
  options: { readonly reason: GenerationReason; readonly shardCount?: number },
): Promise<StartedGeneration> {
  const { reason } = options;
  // In the same order as appends, so that the two cannot deadlock.
  const shards = await sql<{ next_offset: string; shard_count: number }[]>`
    SELECT next_offset, shard_count FROM log_shards ORDER BY shard FOR UPDATE`;
  const before = shards[0]?.shard_count ?? 0;
  const shardCount = options.shardCount ?? before;
  const generation = 1 + Math.max(...shards.map(({ next_offset: next }) => generationOf(Number(next))));
  if (generation > generationMax) throw new AppError({ code: 'generations_used_up', kind: 'bug', message: 'The log has no offsets left' });
  const beginsAt = firstOffsetOf(generation);
  await sql`
    UPDATE log_generations g SET ends_at = s.next_offset FROM log_shards s WHERE g.shard = s.shard AND g.ends_at IS NULL`;
  await sql`
    UPDATE log_shards SET next_offset = ${beginsAt}, shard_count = ${shardCount}, fence = CASE WHEN ${reason === 'reshard'} THEN fence ELSE ${generation} END,
      timeline = CASE WHEN timeline IS NULL THEN NULL ELSE left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END`;
  await sql`
    INSERT INTO log_shards (shard, next_offset, day, shard_count, fence, timeline)
    SELECT n.shard, s.next_offset, s.day, s.shard_count, s.fence, s.timeline
    FROM generate_series(${before}::int, ${shardCount - 1}::int) AS n(shard) CROSS JOIN (SELECT * FROM log_shards ORDER BY day DESC LIMIT 1) s`;
  await sql`
    INSERT INTO log_generations (generation, shard, begins_at, shard_count, reason)
    SELECT ${generation}, shard, next_offset, shard_count, ${reason} FROM log_shards`;
  // Every consumer must read the new shards from their first event.
  if (shardCount > before)
    await sql`
      INSERT INTO log_positions (consumer, shard, "offset", day)
      SELECT c.consumer, s.shard, s.next_offset, s.day FROM (SELECT DISTINCT consumer FROM log_positions) c CROSS JOIN log_shards s
      WHERE s.shard >= ${before} ON CONFLICT DO NOTHING`;
  return { generation, shardCount };
}
