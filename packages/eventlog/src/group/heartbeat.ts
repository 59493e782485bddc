import { AppError, type Clock } from '@pulsewire/kernel';
import { textArray, type Database } from '@pulsewire/database';
import { everyShard, newestPosition, newestShard } from '../model/newest-row.ts';
import type { MemberWatch } from './member-watch.ts';
import type { Member } from './member.ts';
import { readMarks } from './members.ts';
import { seedNewShards } from './seed-group.ts';

/** Result of a member's heartbeat. */
export interface Heartbeat {
  /** Members of the group not known to be dead. */
  readonly members: number;
  /** Shards of the log. */
  readonly shardCount: number;
  /** A lease from before it is void: history was lost since. */
  readonly fence: number;
  /** The first offset that the current generation may have used; a reader below it may have to be advanced. */
  readonly nextOffset: number;
  /** Epochs of the shards that the member still owns. */
  readonly owned: ReadonlyMap<number, number>;
}

/** Renews the member's row and removes members that were silent for the duration of a lease. */
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
  // A group created while the number of shards changed.
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

// A member without a row is dead for all others: one observer is enough.
async function removeSilent(database: Database, member: Member, watch: MemberWatch, clock: Clock): Promise<void> {
  const marks = await readMarks(database, member.group);
  const silent = watch.note(clock.monotonicMs(), marks).filter((one) => one.member !== member.memberId);
  if (silent.length === 0) return;
  await database.sql`
    DELETE FROM log_members m
    USING unnest(${textArray(silent.map((one) => one.member))}::text[], ${textArray(silent.map(({ mark }) => mark))}::text[]) AS s(member, mark)
    WHERE m.consumer = ${member.group} AND m.member = s.member AND m.seen_at = s.mark::timestamptz`;
}
