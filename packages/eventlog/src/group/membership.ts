import { AppError, sleep, systemClock, type Clock } from '@pulsewire/kernel';
import { plainArray, textArray, type Database, type Sql, type Tx } from '@pulsewire/database';
import { reachedOffset } from '../generation/reached.ts';
import type { MemberWatch } from './member-watch.ts';
import { everyShard, isPosition, newestPosition, newestShard, slotOf } from '../model/newest-row.ts';
import { firstShardCount } from '../model/shard.ts';
import type { Position, ReadPoint } from '../model/types.ts';

/** A shard that this member owns, from where on, and under which epoch. */
export interface OwnedShard extends ReadPoint {
  readonly epoch: number;
}

export interface Member {
  readonly group: string;
  readonly memberId: string;
  /** A member that is silent for this long is removed by the others, and its shards are free. */
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

/** What a member learns when it says that it lives. */
export interface Heartbeat {
  /** Members of the group that are not known to be dead. */
  readonly members: number;
  /** Shards of the log. */
  readonly shardCount: number;
  /** A lease from before it is void: history was lost since. */
  readonly fence: number;
  /** The first offset that the current generation may have used; a reader below it may have to be moved on. */
  readonly nextOffset: number;
  /** Epochs of the shards that the member still owns. */
  readonly owned: ReadonlyMap<number, number>;
}

const epochsPerFence = 2 ** 32;

/** The fence under which a lease was taken. */
export function fenceOf(epoch: number): number {
  return Math.floor(epoch / epochsPerFence);
}

/** The epoch of a new lease: above all that were handed out under this fence or an earlier one, by a lost primary too. */
const nextEpoch = (sql: Sql) => sql`greatest(epoch, ${newestShard(sql, '0::smallint', 'n.fence')}::bigint << 32) + 1`;

/** Whether the group has recorded everything that the users of a new shard have in the shards that it was split from; `p` is its position. */
const isReady = (sql: Sql) => sql`(p.shard < ${firstShardCount} OR NOT EXISTS (
  SELECT FROM log_generations c
  JOIN log_generations g ON g.shard = p.shard % c.shard_count AND g.generation = c.generation
  JOIN log_positions a ON a.consumer = p.consumer AND a.shard = g.shard
  WHERE c.shard = 0 AND c.shard_count <= p.shard AND greatest(a."offset", g.begins_at) < g.ends_at))`;

const ownedColumns = (sql: Sql) => sql`q.shard, ${reachedOffset(sql, 'q.shard', 'q."offset"')} AS "offset", q.day, q.epoch`;

function toOwned(row: { shard: number; offset: string; day: string; epoch: string }): OwnedShard {
  return { shard: row.shard, offset: Number(row.offset), day: row.day, epoch: Number(row.epoch) };
}

/** Says that the member lives, and removes those that have been silent for the time of a lease. */
export async function heartbeat(database: Database, member: Member, watch: MemberWatch, clock: Clock): Promise<Heartbeat> {
  const { sql } = database;
  await sql`
    INSERT INTO log_members (consumer, member, seen_at) VALUES (${member.group}, ${member.memberId}, clock_timestamp())
    ON CONFLICT (consumer, member) DO UPDATE SET seen_at = clock_timestamp()`;
  await removeSilent(database, member, watch, clock);
  const [log] = await sql<{ members: number; shard_count: number; fence: number; next_offset: string }[]>`
    SELECT s.shard_count, s.fence, s.next_offset, (SELECT count(*)::int FROM log_members WHERE consumer = ${member.group}) AS members
    FROM ${newestShard(sql, '0::smallint')} s`;
  if (log === undefined) throw new AppError({ code: 'log_missing', kind: 'bug', message: 'The log has no shards' });
  const rows = await sql<{ shard: number; epoch: string; owner: string | null }[]>`
    SELECT p.shard, p.epoch, p.owner FROM ${everyShard(sql)} g CROSS JOIN LATERAL ${newestPosition(sql, member.group, 'g.shard')} p`;
  // A group that was just being made while the number of shards changed.
  if (rows.length < log.shard_count) await seedNewShards(sql, member.group);
  const owned = rows.filter(({ owner }) => owner === member.memberId);
  return {
    members: Math.max(1, log.members),
    shardCount: log.shard_count,
    fence: log.fence,
    nextOffset: Number(log.next_offset),
    owned: new Map(owned.map((row) => [row.shard, Number(row.epoch)])),
  };
}

/** The last heartbeat of each member of a group: only whether it changes means something, because clocks are set anew. */
async function readMarks(sql: Sql, group: string): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ member: string; mark: string }[]>`
    SELECT member, seen_at::text AS mark FROM log_members WHERE consumer = ${group}`;
  return new Map(rows.map(({ member, mark }) => [member, mark]));
}

// Whoever has no row is dead, for everybody: what one has observed the others need not observe again.
async function removeSilent({ sql }: Database, member: Member, watch: MemberWatch, clock: Clock): Promise<void> {
  const marks = await readMarks(sql, member.group);
  const silent = watch.note(clock.monotonicMs(), marks).filter((one) => one.member !== member.memberId);
  if (silent.length === 0) return;
  await sql`
    DELETE FROM log_members m
    USING unnest(${textArray(silent.map((one) => one.member))}::text[], ${textArray(silent.map(({ mark }) => mark))}::text[]) AS s(member, mark)
    WHERE m.consumer = ${member.group} AND m.member = s.member AND m.seen_at::text = s.mark`;
}

async function seedNewShards(sql: Sql, group: string): Promise<void> {
  await sql`
    INSERT INTO log_positions (consumer, shard, "offset", day)
    SELECT ${group}, s.shard, g.begins_at, g.day
    FROM log_shards s
    CROSS JOIN LATERAL (SELECT min(begins_at) AS begins_at, (min(started_at) AT TIME ZONE 'UTC')::date - 1 AS day FROM log_generations WHERE shard = s.shard) g
    WHERE g.begins_at > 0
    ON CONFLICT DO NOTHING`;
}

/** Members of a group, in order. One that died is among them until another has observed its silence for the time of a lease. */
export async function liveMembers({ sql }: Database, group: string): Promise<readonly string[]> {
  const rows = await sql<{ member: string }[]>`SELECT member FROM log_members WHERE consumer = ${group} ORDER BY member`;
  return rows.map(({ member }) => member);
}

/** Shards of this many that each member of a group of this size should own. */
export function fairShare(members: number, shardCount: number): number {
  return Math.ceil(shardCount / Math.max(1, members));
}

/**
 * Takes up to `count` shards whose owner is gone, and those of an earlier life of this very member. Each gets a new epoch. A shard
 * that was split off is not given before the group has recorded what its users have in the old one.
 */
export async function claimShards(
  { sql }: Database,
  member: Member,
  held: readonly number[],
  count: number,
): Promise<readonly OwnedShard[]> {
  // Materialised: as a subquery of the update it may be run again for every row, and lock other rows each time.
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

/** Gives shards back, so that others need not wait for the lease to run out. */
export async function releaseShards({ sql }: Database, member: Member, shards: readonly number[]): Promise<void> {
  await sql`
    UPDATE log_positions SET owner = NULL
    WHERE consumer = ${member.group} AND owner = ${member.memberId} AND shard = ANY(${plainArray(shards)}::smallint[])`;
}

/** Observed for so long before a group is forgotten: longer than a lease, and several heartbeats. */
const observedMs = 6000;
const lookEveryMs = 500;

/**
 * Forgets a group that is not used any more. Until then retention keeps every event that it has not read. Takes some seconds when
 * members have not left. Gives false when there is none of this name. Throws AppError `group_in_use` while a member lives.
 */
export async function forgetGroup(database: Database, group: string, clock: Clock = systemClock): Promise<boolean> {
  const before = await readMarks(database.sql, group);
  const lives = (marks: ReadonlyMap<string, string>) => [...marks].some(([member, mark]) => before.get(member) !== mark);
  const endMs = clock.monotonicMs() + (before.size === 0 ? 0 : observedMs);
  while (clock.monotonicMs() < endMs && !lives(await readMarks(database.sql, group))) await sleep(lookEveryMs);
  return database.transaction(async ({ sql }) => {
    if (lives(await readMarks(sql, group)))
      throw new AppError({ code: 'group_in_use', kind: 'conflict', message: 'A member of this group gave a sign of life just now' });
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

/**
 * Moves positions, each only under its current epoch, under no lease from before a loss of history, and never beyond the end of the log.
 * Throws AppError `lease_lost` with the `shards` that were refused.
 */
export async function movePositions({ sql }: Tx, member: Member, positions: readonly Position[]): Promise<void> {
  if (positions.length === 0) return;
  const sorted = positions.toSorted((a, b) => a.shard - b.shard);
  // The timeline here too: a position may be saved on a promoted standby before anything is appended there.
  const moved = await sql<{ shard: number }[]>`
    UPDATE log_positions p SET "offset" = v."offset", slot = ${slotOf(sql, 'v."offset"')}, day = v.day
    FROM unnest(
      ${plainArray(sorted.map((position) => position.shard))}::smallint[],
      ${plainArray(sorted.map((position) => position.offset))}::bigint[],
      ${plainArray(sorted.map((position) => position.day))}::date[],
      ${plainArray(sorted.map((position) => position.epoch))}::bigint[]
    ) AS v(shard, "offset", day, epoch)
    WHERE ${isPosition(sql, member.group, 'v.shard')} AND p.owner = ${member.memberId} AND p.epoch = v.epoch AND p."offset" <= v."offset"
      AND EXISTS (
        SELECT FROM ${newestShard(sql, 'v.shard')} s
        WHERE v."offset" <= s.next_offset AND v.epoch >> 32 = s.fence
          AND CASE WHEN s.timeline IS NULL THEN true ELSE s.timeline = left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END)
    RETURNING p.shard`;
  if (moved.length === positions.length) return;
  const done = new Set(moved.map(({ shard }) => shard));
  throw new AppError({
    code: 'lease_lost',
    kind: 'conflict',
    message: 'A shard of this batch belongs to another member now',
    retryable: true,
    details: { shards: sorted.map(({ shard }) => shard).filter((shard) => !done.has(shard)) },
  });
}
