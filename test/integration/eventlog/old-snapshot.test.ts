import { randomUUID } from 'node:crypto';
import { openDatabase, type Database, type Tx } from '@pulsewire/database';
import { appendEvents, jsonEvent, lockPositions, readFrom, readLag, shardOf, type NewEvent } from '@pulsewire/eventlog';
import { systemClock } from '@pulsewire/kernel';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { claimShards } from '../../../packages/eventlog/src/group/claim-shards.ts';
import { heartbeat } from '../../../packages/eventlog/src/group/heartbeat.ts';
import { MemberWatch } from '../../../packages/eventlog/src/group/member-watch.ts';
import type { OwnedShard } from '../../../packages/eventlog/src/group/member.ts';
import { movePositions } from '../../../packages/eventlog/src/group/positions.ts';
import { seedGroup } from '../../../packages/eventlog/src/group/seed-group.ts';
import { useDatabase } from '../../support/database.ts';

vi.setConfig({ testTimeout: 120_000 });
const file = useDatabase({ connectionsMax: 12 });
const teamId = randomUUID();
const member = { group: 'snapshots', memberId: 'one', leaseMs: 600_000 };
const eventOf = (userId: string, number = 0): NewEvent =>
  jsonEvent({ eventType: 'x', teamId, userId, clientUserId: null, data: { number } });
const append = (events: readonly NewEvent[]) => file.current.transaction((tx) => appendEvents(tx, events));

/** A user of each of these shards. */
function usersOf(shards: readonly number[]): readonly string[] {
  const found = new Map<number, string>();
  while (shards.some((shard) => !found.has(shard))) {
    const userId = randomUUID();
    found.set(shardOf(userId), userId);
  }
  return shards.map((shard) => found.get(shard) ?? '');
}

/** Holds a snapshot while `work` runs, as a backup does. */
async function underOldSnapshot(work: () => Promise<void>): Promise<void> {
  const holder = openDatabase({ url: file.url, connectionsMax: 1 });
  try {
    await holder.sql.unsafe('SET idle_in_transaction_session_timeout = 0');
    await holder.sql.unsafe('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await holder.sql`SELECT count(*) FROM log_shards`;
    await work();
    await holder.sql.unsafe('ROLLBACK');
  } finally {
    await holder.close();
  }
}

async function offsetsOf(shard: number): Promise<number[]> {
  const rows = await file.current.sql<
    { place: string }[]
  >`SELECT "offset" AS place FROM log_events WHERE shard = ${shard} ORDER BY "offset"`;
  return rows.map(({ place }) => Number(place));
}

async function isWaiting(pid: number): Promise<boolean> {
  const [row] = await file.current.sql<{ waits: boolean }[]>`
    SELECT coalesce(wait_event_type = 'Lock', false) AS waits FROM pg_stat_activity WHERE pid = ${pid}`;
  return row?.waits ?? false;
}

/** Appends as versions before slots did: finds counters only by their shard, and knows no slots. */
async function appendAsBefore({ sql }: Tx, shard: number, userId: string): Promise<void> {
  await sql`
    WITH counted AS (
      UPDATE log_shards s SET next_offset = s.next_offset + 1, day = log_day(s.day)
      WHERE s.shard = ${shard} AND s.shard_count = 64 RETURNING s.shard, s.next_offset - 1 AS base, s.day
    )
    INSERT INTO log_events (shard, "offset", day, event_id, event_type, team_id, user_id, is_historical, written_at, json)
    SELECT c.shard, c.base, c.day, gen_random_uuid(), 'x', ${teamId}, ${userId}, false, 0, '{}' FROM counted c`;
}

describe('pages read under an old snapshot', () => {
  const shard = 5;
  const rounds = 100;
  const held = 2500;
  let [userId] = [''];
  let only: Database;
  let owned: OwnedShard;
  let next: number;

  beforeAll(async () => {
    [userId = ''] = usersOf([shard]);
    // One connection, so that its reads are in the statistics when they are queried.
    only = openDatabase({ url: file.url, connectionsMax: 1 });
    await seedGroup(only, member.group, 'end');
    const claimed = await claimShards(only, member, [], 64);
    owned = claimed.find((one) => one.shard === shard) as OwnedShard;
    next = owned.offset;
    // As in an installation that has run for a while: the planner knows that the tables are small, so a scan looks cheap.
    await only.sql`VACUUM ANALYZE log_shards`;
    await only.sql`VACUUM ANALYZE log_positions`;
  });
  afterAll(() => only.close());

  /** Appends an event and records the one before. */
  async function round(): Promise<void> {
    const position = { shard, offset: next, day: owned.day, epoch: owned.epoch };
    await only.transaction(async (tx) => {
      await lockPositions(tx, member.group, [shard]);
      await movePositions(tx, member, [position]);
      await appendEvents(tx, [eventOf(userId)]);
    });
    next += 1;
  }

  async function pagesOf(work: () => Promise<unknown>): Promise<{ shards: number; positions: number }> {
    const read = async () => {
      await only.sql`SELECT pg_stat_force_next_flush()`;
      const rows = await only.sql<{ relname: string; pages: string }[]>`
        SELECT relname, heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read AS pages
        FROM pg_statio_user_tables WHERE relname IN ('log_shards', 'log_positions')`;
      return new Map(rows.map(({ relname, pages }) => [relname, Number(pages)]));
    };
    const before = await read();
    for (let done = 0; done < rounds; done++) await work();
    const after = await read();
    const each = (table: string) => ((after.get(table) ?? 0) - (before.get(table) ?? 0)) / rounds;
    return { shards: each('log_shards'), positions: each('log_positions') };
  }

  const watch = new MemberWatch(member.leaseMs);
  const looks = async () => {
    await readFrom(only, [{ shard, offset: next, day: owned.day }], 10);
    await heartbeat(only, member, watch, systemClock);
    await readLag(only, member.group);
  };

  test('appends, positions and reads visit no more pages after thousands of updates', async () => {
    const [free, freeLooks] = [await pagesOf(round), await pagesOf(looks)];
    await underOldSnapshot(async () => {
      for (let done = 0; done < held; done++) await round();
      const [late, lateLooks] = [await pagesOf(round), await pagesOf(looks)];
      expect(late.shards).toBeLessThan(free.shards * 2);
      expect(late.positions).toBeLessThan(free.positions * 2);
      expect(lateLooks.shards).toBeLessThan(freeLooks.shards * 1.5);
      expect(lateLooks.positions).toBeLessThan(freeLooks.positions * 1.5);
    });
    expect(next).toBeGreaterThan(held);
    expect(await offsetsOf(shard)).toEqual(Array.from({ length: next - owned.offset }, (_, index) => owned.offset + index));
  });
});

test('offsets stay dense and in writer order while concurrent appends change slots', async () => {
  const shards = [11, 12, 13, 14];
  const users = usersOf(shards);
  const numbers = new Map<string, number[]>();
  await underOldSnapshot(async () => {
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let round = 0; round < 40; round++) {
        // Each begins at another shard, and some appends fill a slot by themselves.
        const chosen = users
          .map((_user, index) => users[(index + writer + round) % users.length] ?? '')
          .slice(0, 1 + (round % shards.length));
        const size = round % 5 === 0 ? 70 : 3;
        const events = chosen.flatMap((userId) => Array.from({ length: size }, (_event, number) => eventOf(userId, round * 100 + number)));
        await append(events.map((event) => ({ ...event, eventType: `writer.${writer}` })));
      }
    });
    await Promise.all(writers);
  });
  for (const shard of shards) {
    const offsets = await offsetsOf(shard);
    expect(offsets).toEqual(offsets.map((_, index) => index));
    const [row] = await file.current.sql<
      { next: string; slot: string }[]
    >`SELECT next_offset AS next, slot FROM log_shards WHERE shard = ${shard}`;
    expect(row).toEqual({ next: String(offsets.length), slot: String(Math.floor(offsets.length / 64)) });
    const rows = await file.current.sql<{ event_type: string; number: number }[]>`
      SELECT event_type, (json::json ->> 'number')::int AS number FROM log_events WHERE shard = ${shard} ORDER BY "offset"`;
    for (const { event_type: writer, number } of rows)
      numbers.set(`${writer}:${shard}`, [...(numbers.get(`${writer}:${shard}`) ?? []), number]);
  }
  for (const list of numbers.values()) expect(list).toEqual(list.toSorted((a, b) => a - b));
});

test.each([
  ['commits', false],
  ['is rolled back', true],
] as const)(
  'an append that waited while the counter moved to a later slot continues from its end, when that %s',
  async (_how, isRolledBack) => {
    const shards = isRolledBack ? [21, 22] : [23, 24];
    const [first = '', second = ''] = usersOf(shards);
    const waiting = openDatabase({ url: file.url, connectionsMax: 1 });
    const [own] = await waiting.sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    const late: Promise<void>[] = [];
    const early = file.current.transaction(async (tx) => {
      await appendEvents(
        tx,
        Array.from({ length: 200 }, () => eventOf(second)),
      );
      late.push(waiting.transaction((other) => appendEvents(other, [eventOf(first), eventOf(second)])));
      await expect.poll(() => isWaiting(own?.pid ?? 0)).toBe(true);
      if (isRolledBack) throw new Error('rolled back');
    });
    await early.catch(() => {});
    await Promise.all(late);
    await waiting.close();
    expect(await offsetsOf(shards[0] ?? 0)).toEqual([0]);
    expect(await offsetsOf(shards[1] ?? 0)).toEqual(Array.from({ length: isRolledBack ? 1 : 201 }, (_, index) => index));
  },
);

test('rejects a position that waited for a claim, but not one that waited for a slot change', async () => {
  const shard = 31;
  const [userId = ''] = usersOf([shard]);
  const group = { group: 'waiting', memberId: 'one', leaseMs: 600_000 };
  await seedGroup(file.current, group.group, 'end');
  const claimed = await claimShards(file.current, group, [], 64);
  const { epoch, day } = claimed.find((one) => one.shard === shard) as OwnedShard;
  await append(Array.from({ length: 500 }, () => eventOf(userId)));
  const waiting = openDatabase({ url: file.url, connectionsMax: 1 });
  const [own] = await waiting.sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  const moveBehind = async (offset: number, change: (tx: Tx) => Promise<unknown>) => {
    const late: Promise<unknown>[] = [];
    await file.current.transaction(async (tx) => {
      await change(tx);
      late.push(
        waiting
          .transaction((other) => movePositions(other, group, [{ shard, offset, day, epoch }]))
          .then(
            () => 'moved',
            (error: unknown) => (error as { code: string }).code,
          ),
      );
      await expect.poll(() => isWaiting(own?.pid ?? 0)).toBe(true);
    });
    return Promise.all(late);
  };
  expect(await moveBehind(400, (tx) => movePositions(tx, group, [{ shard, offset: 300, day, epoch }]))).toEqual(['moved']);
  expect(
    await moveBehind(450, ({ sql }) => sql`UPDATE log_positions SET epoch = epoch + 1 WHERE consumer = 'waiting' AND shard = ${shard}`),
  ).toEqual(['lease_lost']);
  await waiting.close();
  expect(await file.current.sql`SELECT "offset"::int AS place FROM log_positions WHERE consumer = 'waiting' AND shard = ${shard}`).toEqual([
    { place: 400 },
  ]);
});

test('a process from before slots appends alongside new ones without a gap', async () => {
  const shard = 41;
  const [userId = ''] = usersOf([shard]);
  const perWriter = 150;
  const before = Array.from({ length: 2 }, async () => {
    for (let done = 0; done < perWriter; done++) await file.current.transaction((tx) => appendAsBefore(tx, shard, userId));
  });
  const now = Array.from({ length: 2 }, async () => {
    for (let done = 0; done < perWriter; done++) await append([eventOf(userId)]);
  });
  await Promise.all([...before, ...now]);
  expect(await offsetsOf(shard)).toEqual(Array.from({ length: 4 * perWriter }, (_, index) => index));
});

test('a group created twice concurrently has one position in each shard', async () => {
  const waiting = openDatabase({ url: file.url, connectionsMax: 1 });
  const [own] = await waiting.sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  const late: Promise<void>[] = [];
  await file.current.transaction(async ({ sql }) => {
    await sql`INSERT INTO log_positions (consumer, shard, "offset", day) SELECT 'seeded', shard, 0, day FROM log_shards ON CONFLICT DO NOTHING`;
    await sql`UPDATE log_positions SET "offset" = 640, slot = 10 WHERE consumer = 'seeded' AND shard < 32`;
    late.push(seedGroup(waiting, 'seeded', 'end'));
    await expect.poll(() => isWaiting(own?.pid ?? 0)).toBe(true);
  });
  await Promise.all(late);
  await waiting.close();
  const rows = await file.current.sql`
    SELECT count(*)::int AS positions, count(DISTINCT shard)::int AS shards, count(*) FILTER (WHERE "offset" = 640)::int AS moved
    FROM log_positions WHERE consumer = 'seeded'`;
  expect(rows).toEqual([{ positions: 64, shards: 64, moved: 32 }]);
});
