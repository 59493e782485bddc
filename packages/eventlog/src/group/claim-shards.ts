import { plainArray, type Database, type Sql } from '@pulsewire/database';
import { reachedOffset } from '../generation/reached.ts';
import { firstShardCount } from '../model/shard.ts';
import { nextEpoch } from './epochs.ts';
import type { Member, OwnedShard } from './member.ts';

/**
 * Whether the group has recorded everything that the users of a new shard have in the shards that it was split from; `p` is its position.
 */
const isReady = (sql: Sql) => sql`(p.shard < ${firstShardCount} OR NOT EXISTS (
  SELECT FROM log_generations c
  JOIN log_generations g ON g.shard = p.shard % c.shard_count AND g.generation = c.generation
  JOIN log_positions a ON a.consumer = p.consumer AND a.shard = g.shard
  WHERE c.shard = 0 AND c.shard_count <= p.shard AND greatest(a."offset", g.begins_at) < g.ends_at))`;

const ownedColumns = (sql: Sql) => sql`q.shard, ${reachedOffset(sql, 'q.shard', 'q."offset"')} AS "offset", q.day, q.epoch`;

function toOwned(row: { shard: number; offset: string; day: string; epoch: string }): OwnedShard {
  return { shard: row.shard, offset: Number(row.offset), day: row.day, epoch: Number(row.epoch) };
}

/**
 * Claims up to `count` shards that have no live owner or belong to an earlier run of this member. Each gets a new epoch. A shard that was
 * split off can be claimed only once the group has recorded its users' events in the old one.
 */
export async function claimShards(
  { sql }: Database,
  member: Member,
  held: readonly number[],
  count: number,
): Promise<readonly OwnedShard[]> {
  // Materialised: as a subquery of the update it could run once per row and lock other rows each time.
  const rows = await sql<{ shard: number; offset: string; day: string; epoch: string }[]>`
    WITH free AS MATERIALIZED (
      SELECT p.shard FROM log_positions p
      WHERE p.consumer = ${member.group} AND NOT p.shard = ANY(${plainArray(held)}::smallint[]) AND ${isReady(sql)}
        AND (p.owner = ${member.memberId} OR NOT EXISTS (
          SELECT 1 FROM log_members m WHERE m.consumer = p.consumer AND m.member = p.owner))
      ORDER BY p.shard LIMIT ${count} FOR UPDATE SKIP LOCKED
    )
    UPDATE log_positions q SET owner = ${member.memberId}, epoch = ${nextEpoch(sql)}
    FROM free WHERE q.consumer = ${member.group} AND q.shard = free.shard
    RETURNING ${ownedColumns(sql)}`;
  return rows.map(toOwned);
}

/**
 * Claims exactly these shards, because Kafka has assigned them. A shard whose owner is alive stays with it unless `isForced`. Each gets a
 * new epoch, under which positions of the old owner are refused.
 */
export async function takeShards(
  { sql }: Database,
  member: Member,
  shards: readonly number[],
  isForced: boolean,
): Promise<readonly OwnedShard[]> {
  const rows = await sql<{ shard: number; offset: string; day: string; epoch: string }[]>`
    WITH free AS MATERIALIZED (
      SELECT p.shard FROM log_positions p
      WHERE p.consumer = ${member.group} AND p.shard = ANY(${plainArray(shards)}::smallint[]) AND ${isReady(sql)}
        AND (${isForced} OR p.owner = ${member.memberId} OR NOT EXISTS (
          SELECT 1 FROM log_members m WHERE m.consumer = p.consumer AND m.member = p.owner))
      ORDER BY p.shard FOR UPDATE
    )
    UPDATE log_positions q SET owner = ${member.memberId}, epoch = ${nextEpoch(sql)}
    FROM free WHERE q.consumer = ${member.group} AND q.shard = free.shard
    RETURNING ${ownedColumns(sql)}`;
  return rows.map(toOwned);
}

/** Releases shards, so that others need not wait for the lease to expire. */
export async function releaseShards({ sql }: Database, member: Member, shards: readonly number[]): Promise<void> {
  await sql`
    UPDATE log_positions SET owner = NULL
    WHERE consumer = ${member.group} AND owner = ${member.memberId} AND shard = ANY(${plainArray(shards)}::smallint[])`;
}
