import { AppError } from '@pulsewire/kernel';
import { plainArray, type Database, type Tx } from '@pulsewire/database';
import type { ReadPoint } from './read.ts';
import { shardCount, type Position } from './types.ts';

/** A shard that this member owns, from where on, and under which epoch. */
export interface OwnedShard extends ReadPoint {
  readonly epoch: number;
}

export interface Member {
  readonly group: string;
  readonly memberId: string;
  /** A member not seen for this long has lost its shards to whoever asks. */
  readonly leaseMs: number;
}

/** Makes the group's positions on its first use: at the end, or at the first event of each shard that retention has left. */
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

/** Says that the member lives; gives the number of live members and the shards it still owns. */
export async function heartbeat({ sql }: Database, member: Member): Promise<{ members: number; owned: ReadonlyMap<number, number> }> {
  await sql`
    INSERT INTO log_members (consumer, member, seen_at) VALUES (${member.group}, ${member.memberId}, clock_timestamp())
    ON CONFLICT (consumer, member) DO UPDATE SET seen_at = clock_timestamp()`;
  const [count] = await sql<{ members: number }[]>`
    SELECT count(*)::int AS members FROM log_members
    WHERE consumer = ${member.group} AND seen_at > clock_timestamp() - make_interval(secs => ${member.leaseMs / 1000})`;
  const rows = await sql<{ shard: number; epoch: string }[]>`
    SELECT shard, epoch FROM log_positions WHERE consumer = ${member.group} AND owner = ${member.memberId}`;
  return { members: count?.members ?? 1, owned: new Map(rows.map((row) => [row.shard, Number(row.epoch)])) };
}

/** Members of a group that were seen within the last ten seconds, in order: twice as long as it takes to lose one's shards. */
export async function liveMembers({ sql }: Database, group: string): Promise<readonly string[]> {
  const rows = await sql<{ member: string }[]>`
    SELECT member FROM log_members
    WHERE consumer = ${group} AND seen_at > clock_timestamp() - interval '10 seconds' ORDER BY member`;
  return rows.map(({ member }) => member);
}

/** Shards that each member of a group of this size should own. */
export function fairShare(members: number): number {
  return Math.ceil(shardCount / Math.max(1, members));
}

/** Takes up to `count` shards whose owner is gone, and those of an earlier life of this very member. Each gets a new epoch. */
export async function claimShards(
  { sql }: Database,
  member: Member,
  held: readonly number[],
  count: number,
): Promise<readonly OwnedShard[]> {
  const rows = await sql<{ shard: number; offset: string; day: string; epoch: string }[]>`
    UPDATE log_positions SET owner = ${member.memberId}, epoch = epoch + 1
    WHERE consumer = ${member.group} AND shard IN (
      SELECT p.shard FROM log_positions p
      WHERE p.consumer = ${member.group} AND NOT p.shard = ANY(${plainArray(held)}::smallint[])
        AND (p.owner = ${member.memberId} OR NOT EXISTS (
          SELECT 1 FROM log_members m WHERE m.consumer = p.consumer AND m.member = p.owner
            AND m.seen_at > clock_timestamp() - make_interval(secs => ${member.leaseMs / 1000})))
      ORDER BY p.shard LIMIT ${count} FOR UPDATE SKIP LOCKED)
    RETURNING shard, "offset", day, epoch`;
  return rows.map((row) => ({ shard: row.shard, offset: Number(row.offset), day: row.day, epoch: Number(row.epoch) }));
}

/**
 * Takes these very shards, as somebody else has decided who gets which. One whose owner lives is left to it, unless `isForced`.
 * Each gets a new epoch, and with it the old owner's positions are refused.
 */
export async function takeShards(
  { sql }: Database,
  member: Member,
  shards: readonly number[],
  isForced: boolean,
): Promise<readonly OwnedShard[]> {
  const rows = await sql<{ shard: number; offset: string; day: string; epoch: string }[]>`
    UPDATE log_positions SET owner = ${member.memberId}, epoch = epoch + 1
    WHERE consumer = ${member.group} AND shard IN (
      SELECT p.shard FROM log_positions p
      WHERE p.consumer = ${member.group} AND p.shard = ANY(${plainArray(shards)}::smallint[])
        AND (${isForced} OR p.owner = ${member.memberId} OR NOT EXISTS (
          SELECT 1 FROM log_members m WHERE m.consumer = p.consumer AND m.member = p.owner
            AND m.seen_at > clock_timestamp() - make_interval(secs => ${member.leaseMs / 1000})))
      ORDER BY p.shard FOR UPDATE)
    RETURNING shard, "offset", day, epoch`;
  return rows.map((row) => ({ shard: row.shard, offset: Number(row.offset), day: row.day, epoch: Number(row.epoch) }));
}

/** Gives shards back, so that others need not wait for the lease to run out. */
export async function releaseShards({ sql }: Database, member: Member, shards: readonly number[]): Promise<void> {
  await sql`
    UPDATE log_positions SET owner = NULL
    WHERE consumer = ${member.group} AND owner = ${member.memberId} AND shard = ANY(${plainArray(shards)}::smallint[])`;
}

/** Forgets members that went without leaving; their ids never come back. */
export async function forgetGhosts({ sql }: Database, group: string): Promise<void> {
  await sql`DELETE FROM log_members WHERE consumer = ${group} AND seen_at < clock_timestamp() - interval '1 hour'`;
}

/**
 * Forgets a group that is not used any more. Until then retention keeps every event that it has not read.
 * Gives false when there is none of this name. Throws AppError `group_in_use` while a member lives.
 */
export async function forgetGroup(database: Database, group: string): Promise<boolean> {
  return database.transaction(async ({ sql }) => {
    const [live] =
      await sql`SELECT 1 FROM log_members WHERE consumer = ${group} AND seen_at > clock_timestamp() - interval '1 minute' LIMIT 1`;
    if (live)
      throw new AppError({ code: 'group_in_use', kind: 'conflict', message: 'A member of this group was seen within the last minute' });
    await sql`DELETE FROM log_members WHERE consumer = ${group}`;
    const deleted = await sql`DELETE FROM log_positions WHERE consumer = ${group}`;
    return deleted.count > 0;
  });
}

/** Leaves the group. */
export async function leaveGroup(database: Database, member: Member): Promise<void> {
  await database.sql`UPDATE log_positions SET owner = NULL WHERE consumer = ${member.group} AND owner = ${member.memberId}`;
  await database.sql`DELETE FROM log_members WHERE consumer = ${member.group} AND member = ${member.memberId}`;
}

/** Moves positions, each only under its current epoch. Throws AppError `lease_lost` when one is stale. */
export async function movePositions({ sql }: Tx, member: Member, positions: readonly Position[]): Promise<void> {
  if (positions.length === 0) return;
  const sorted = positions.toSorted((a, b) => a.shard - b.shard);
  const result = await sql`
    UPDATE log_positions p SET "offset" = v."offset", day = v.day
    FROM unnest(
      ${plainArray(sorted.map((position) => position.shard))}::smallint[],
      ${plainArray(sorted.map((position) => position.offset))}::bigint[],
      ${plainArray(sorted.map((position) => position.day))}::date[],
      ${plainArray(sorted.map((position) => position.epoch))}::bigint[]
    ) AS v(shard, "offset", day, epoch)
    WHERE p.consumer = ${member.group} AND p.owner = ${member.memberId} AND p.shard = v.shard AND p.epoch = v.epoch AND p."offset" <= v."offset"`;
  if (result.count !== positions.length) {
    throw new AppError({
      code: 'lease_lost',
      kind: 'conflict',
      message: 'A shard of this batch belongs to another member now',
      retryable: true,
    });
  }
}
