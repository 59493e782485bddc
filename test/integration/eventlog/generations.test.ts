import { randomUUID } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import { openDatabase } from '@pulsewire/database';
import {
  createPostgresLog,
  eraseUserEvents,
  firstShardCount,
  generationOf,
  jsonEvent,
  newGeneration,
  readLag,
  reshard,
  shardOf,
  withEvents,
  type LogEvent,
} from '@pulsewire/eventlog';
import { CollectingSink } from '../../support/collecting-sink.ts';
import { useDatabase } from '../../support/database.ts';

vi.setConfig({ testTimeout: 60_000 });
const file = useDatabase({ connectionsMax: 20 });
const running: CollectingSink[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map(async (sink) => sink.consumption?.stop()));
});

async function join(group: string, memberId: string = randomUUID()): Promise<CollectingSink> {
  const sink = new CollectingSink(file.current);
  const log = createPostgresLog({ database: file.current, logger: silentLogger, metrics: noMetrics, leaseMs: 1500 });
  sink.consumption = await log.consume({ group, memberId, from: 'end', sink });
  running.push(sink);
  return sink;
}

const teamId = randomUUID();

async function write(userId: string, ...numbers: readonly number[]): Promise<void> {
  await withEvents(file.current, async (_tx, emit) => {
    for (const number of numbers) emit(jsonEvent({ eventType: 'x', teamId, userId, clientUserId: null, data: { number } }));
  });
}

const numberIn = ({ body }: LogEvent) => (JSON.parse(body.kind === 'json' ? body.json : '{}') as { number: number }).number;
const numbersOf = (events: readonly LogEvent[], userId: string) => events.filter((event) => event.userId === userId).map(numberIn);

test('starts a generation at unused offsets when the system identifier differs', async () => {
  const userId = randomUUID();
  const sink = await join('restored');
  await write(userId, 0);
  await sink.received(1);
  await sink.recorded();
  // As in a dump that was taken on another cluster.
  await file.current.sql`UPDATE log_installation SET system_identifier = '1'`;
  const restarted = openDatabase({ url: file.url, connectionsMax: 2 });
  await withEvents(restarted, async (_tx, emit) =>
    emit(jsonEvent({ eventType: 'x', teamId, userId, clientUserId: null, data: { number: 1 } })),
  );
  await restarted.close();
  await expect.poll(() => numbersOf(sink.events, userId), { timeout: 20_000 }).toEqual([0, 1]);
  expect(generationOf(sink.events.at(-1)?.offset ?? 0)).toBe(generationOf(sink.events[0]?.offset ?? 0) + 1);
});

test('invalidates leases and skips no event when an operator starts a generation', async () => {
  const userId = randomUUID();
  const sink = await join('operator');
  await write(userId, 0, 1);
  await sink.received(2);
  await sink.recorded();
  await write(userId, 2);
  await sink.received(3);
  await sink.recorded();
  const [last] = sink.events.slice(-1) as [LogEvent];
  const [lease] = await file.current.sql<{ epoch: string }[]>`
    SELECT epoch FROM log_positions WHERE consumer = 'operator' AND shard = ${last.shard}`;
  await newGeneration(file.current);
  const stale = { shard: last.shard, offset: last.offset + 1, day: last.day, epoch: Number(lease?.epoch) };
  await expect(file.current.transaction(async (tx) => sink.consumption?.savePositions(tx, [stale]))).rejects.toMatchObject({
    code: 'lease_lost',
  });
  await write(userId, 3, 4);
  await expect.poll(() => new Set(numbersOf(sink.events, userId)), { timeout: 20_000 }).toEqual(new Set([0, 1, 2, 3, 4]));
  await expect.poll(() => sink.revokedShards.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(firstShardCount);
  await expect.poll(async () => (await readLag(file.current, 'operator')).events, { timeout: 20_000 }).toBe(0);
});

test('rejects a position beyond the end of the log', async () => {
  const userId = randomUUID();
  const sink = await join('beyond');
  await write(userId, 0);
  await sink.received(1);
  await sink.recorded();
  const [event] = sink.events as [LogEvent];
  const [lease] = await file.current.sql<{ epoch: string }[]>`
    SELECT epoch FROM log_positions WHERE consumer = 'beyond' AND shard = ${event.shard}`;
  const beyond = { shard: event.shard, offset: event.offset + 2, day: event.day, epoch: Number(lease?.epoch) };
  await expect(file.current.transaction(async (tx) => sink.consumption?.savePositions(tx, [beyond]))).rejects.toMatchObject({
    code: 'lease_lost',
    details: { shards: [event.shard] },
  });
  await write(userId, 1);
  await expect.poll(() => numbersOf(sink.events, userId).includes(1), { timeout: 20_000 }).toBe(true);
});

test('the lag counts committed events only, not the gap before a generation', async () => {
  const userId = randomUUID();
  await (await join('lag')).consumption?.stop();
  await write(userId, 0, 1);
  await newGeneration(file.current);
  await write(userId, 2);
  expect((await readLag(file.current, 'lag')).events).toBe(3);
});

test('rejects a shard count that is not a larger power of two', async () => {
  for (const count of [0, 32, 64, 96, 1.5, 2 ** 20])
    await expect(reshard(file.current, count)).rejects.toMatchObject({ code: 'shard_count_invalid' });
});

// These tests come last: from here on the log of this file has more shards.
test('doubling the shards under writers and readers loses nothing and keeps the order per user', async () => {
  const users = Array.from({ length: 100 }, () => randomUUID());
  const readers = [await join('growing'), await join('growing')];
  const rounds = 30;
  let written = 0;
  const writers = users.map(async (userId) => {
    for (let number = 0; number < rounds; number++) {
      await write(userId, number);
      written += 1;
    }
  });
  await expect.poll(() => written, { timeout: 30_000, interval: 5 }).toBeGreaterThan(users.length * 3);
  const { shardCount } = await reshard(file.current, firstShardCount * 2);
  expect(shardCount).toBe(firstShardCount * 2);
  expect(written).toBeLessThan(users.length * rounds);
  await Promise.all(writers);
  const all = () => readers.flatMap((sink) => sink.events);
  await expect.poll(() => new Set(all().map(({ eventId }) => eventId)).size, { timeout: 30_000 }).toBe(users.length * rounds);
  const moved = users.filter((userId) => shardOf(userId, shardCount) >= firstShardCount);
  expect(moved.length).toBeGreaterThan(20);
  for (const userId of users) {
    const events = readers.flatMap((sink) => sink.events.filter((event) => event.userId === userId));
    const byOffset = [...new Map(events.map((event) => [event.offset, numberIn(event)]))].toSorted(([a], [b]) => a - b);
    expect(byOffset.map(([, number]) => number)).toEqual(Array.from({ length: rounds }, (_, number) => number));
    // Each reader by itself first saw the events of the user in order.
    for (const sink of readers) {
      const seen = [...new Set(numbersOf(sink.events, userId))];
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    }
  }
  expect(all().some(({ shard }) => shard >= firstShardCount)).toBe(true);
  await expect
    .poll(() => readers.map((sink) => sink.consumption?.owned().length), { timeout: 20_000 })
    .toEqual([firstShardCount, firstShardCount]);
  await expect.poll(async () => (await readLag(file.current, 'growing')).events, { timeout: 20_000 }).toBe(0);
});

test('claims a new shard only once the old one is recorded up to the split', async () => {
  const userId = Array.from({ length: 500 }, () => randomUUID()).find((id) => shardOf(id, 256) >= 128) ?? '';
  const slow = await join('gated');
  slow.isRecording = false;
  await write(userId, 0);
  await slow.received(1);
  await reshard(file.current, 256);
  await write(userId, 1);
  await expect.poll(() => slow.consumption?.owned().length, { timeout: 20_000 }).toBe(255);
  expect(numbersOf(slow.events, userId)).toEqual([0]);
  const [first] = slow.events as [LogEvent];
  const [lease] = await file.current.sql<{ epoch: string }[]>`
    SELECT epoch FROM log_positions WHERE consumer = 'gated' AND shard = ${first.shard}`;
  const position = { shard: first.shard, offset: first.offset + 1, day: first.day, epoch: Number(lease?.epoch) };
  await file.current.transaction(async (tx) => slow.consumption?.savePositions(tx, [position]));
  await expect.poll(() => numbersOf(slow.events, userId), { timeout: 20_000 }).toEqual([0, 1]);
});

test('erases a user’s events in the shards of every generation', async () => {
  const userId = Array.from({ length: 500 }, () => randomUUID()).find((id) => shardOf(id, 512) >= 256) ?? '';
  await write(userId, 0);
  await reshard(file.current, 512);
  await write(userId, 1);
  const erased = await file.current.transaction((tx) => eraseUserEvents(tx, { teamId, userId }));
  expect(erased.map(({ shard }) => shard)).toEqual([shardOf(userId, 256), shardOf(userId, 512)]);
});
