import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import type { Database } from '@pulsewire/database';
import { jsonEvent, firstShardCount, shardOf, withEvents, type EventLog, type LogEvent } from '@pulsewire/eventlog';
import { CollectingSink } from '../../support/collecting-sink.ts';

/** What every implementation of the log guarantees. `leaseMs` of the log under test is 1500. */
export function describeLog(options: { readonly database: () => Database; readonly createLog: () => EventLog }): void {
  const running: CollectingSink[] = [];
  const teamId = randomUUID();

  afterEach(async () => {
    await Promise.all(running.splice(0).map(async (sink) => sink.consumption?.stop()));
  });

  async function join(
    group: string,
    configure: (sink: CollectingSink) => void = () => {},
    from: 'start' | 'end' = 'end',
    memberId: string = randomUUID(),
  ): Promise<CollectingSink> {
    const sink = new CollectingSink(options.database());
    configure(sink);
    sink.consumption = await options.createLog().consume({ group, memberId, from, sink });
    running.push(sink);
    return sink;
  }

  async function write(userId: string, count: number, firstNumber = 0): Promise<void> {
    await withEvents(options.database(), async (_tx, emit) => {
      for (let i = 0; i < count; i++) {
        emit(numbered(userId, firstNumber + i));
      }
    });
  }

  // A real event type, because a log with schemas refuses others.
  const numbered = (userId: string, number: number) =>
    jsonEvent({
      eventType: 'provider.connection.error',
      teamId,
      userId,
      clientUserId: 'someone',
      data: { user_id: userId, provider: 'demo', error_type: 'unknown', message: 'Connect again.', error_details: String(number) },
    });

  const numberIn = ({ body }: LogEvent) =>
    Number((JSON.parse(body.kind === 'json' ? body.json : '{}') as { error_details: string }).error_details);
  const numbersOf = (events: readonly LogEvent[], userId: string) => events.filter((event) => event.userId === userId).map(numberIn);

  const users = Array.from({ length: 20 }, () => randomUUID());

  test('events of a user arrive in commit order with dense offsets under concurrent writers', async () => {
    const sink = await join('order');
    await Promise.all(
      users.map(async (userId) => {
        for (let i = 0; i < 10; i++) await write(userId, 2, i * 2);
      }),
    );
    await sink.received(400);
    for (const userId of users) expect(numbersOf(sink.events, userId)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    for (let shard = 0; shard < firstShardCount; shard++) {
      const offsets = sink.events.filter((event) => event.shard === shard).map((event) => event.offset);
      expect(offsets).toEqual(offsets.map((_, i) => (offsets[0] ?? 0) + i));
    }
  });

  test('events of a rolled-back transaction are never read and leave no gap', async () => {
    const sink = await join('rollback');
    const userId = randomUUID();
    await write(userId, 1, 1);
    await expect(
      withEvents(options.database(), async (_tx, emit) => {
        emit(numbered(userId, 99));
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await write(userId, 1, 2);
    await sink.received(2);
    expect(numbersOf(sink.events, userId)).toEqual([1, 2]);
    expect((sink.events[1]?.offset ?? 0) - (sink.events[0]?.offset ?? 0)).toBe(1);
  });

  test('two members share the shards, and one that leaves loses and repeats nothing', async () => {
    const first = await join('share');
    const second = await join('share');
    await expect
      .poll(() => [first.consumption?.owned().length, second.consumption?.owned().length], { timeout: 10_000 })
      .toEqual([firstShardCount / 2, firstShardCount / 2]);
    for (const userId of users) await write(userId, 3);
    await expect.poll(() => first.events.length + second.events.length, { timeout: 10_000 }).toBe(60);
    expect(first.events.length).toBeGreaterThan(0);
    expect(second.events.length).toBeGreaterThan(0);
    await second.recorded();
    await second.consumption?.stop();
    await expect.poll(() => first.consumption?.owned().length, { timeout: 10_000 }).toBe(firstShardCount);
    for (const userId of users) await write(userId, 3, 3);
    await expect.poll(() => first.events.length + second.events.length, { timeout: 10_000 }).toBe(120);
    const all = [...second.events, ...first.events];
    expect(new Set(all.map((event) => event.eventId)).size).toBe(120);
    for (const userId of users) expect(numbersOf(all, userId).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('events that a member did not record before it died are read again in order', async () => {
    const dying = await join('death', (sink) => (sink.isRecording = false));
    const userId = randomUUID();
    await write(userId, 5);
    await dying.received(5);
    await dying.consumption?.stop();
    const next = await join('death');
    await next.received(5);
    expect(numbersOf(next.events, userId)).toEqual([0, 1, 2, 3, 4]);
    expect(next.events.map((event) => event.eventId)).toEqual(dying.events.map((event) => event.eventId));
  });

  test('a position moves only under the current epoch', async () => {
    const first = await join('epoch');
    const userId = randomUUID();
    await write(userId, 1);
    await first.received(1);
    await first.recorded();
    const [event] = first.events as [LogEvent];
    const stale = { shard: shardOf(userId), epoch: 0, offset: event.offset + 5, day: event.day };
    await expect(options.database().transaction(async (tx) => first.consumption?.savePositions(tx, [stale]))).rejects.toMatchObject({
      code: 'lease_lost',
    });
  });

  test('a consumer without capacity gets no events and later continues where it stopped', async () => {
    const sink = await join('available', (slow) => (slow.available = 0));
    const userId = randomUUID();
    await write(userId, 3);
    sink.consumption?.wake();
    await expect.poll(() => sink.events.length, { timeout: 500 }).toBe(0);
    sink.available = 2;
    sink.consumption?.wake();
    await sink.received(2);
    sink.available = 10;
    sink.consumption?.wake();
    await sink.received(3);
    expect(numbersOf(sink.events, userId)).toEqual([0, 1, 2]);
  });

  test('a new group starts at the end or at the beginning, as requested', async () => {
    const userId = randomUUID();
    await write(userId, 2);
    const late = await join('starts-at-end');
    const early = await join('starts-at-start', () => {}, 'start');
    await expect.poll(() => numbersOf(early.events, userId), { timeout: 10_000 }).toEqual([0, 1]);
    await write(userId, 1, 2);
    await late.received(1);
    expect(numbersOf(late.events, userId)).toEqual([2]);
  });

  test('a member without heartbeats loses its shards to the others', async () => {
    const silent = await join('silent');
    await silent.consumption?.stop();
    // As after kill -9: the member's row stays, and is not renewed.
    const { sql } = options.database();
    await sql`INSERT INTO log_members VALUES ('silent', 'ghost', now())`;
    await sql`UPDATE log_positions SET owner = 'ghost', epoch = epoch + 1 WHERE consumer = 'silent'`;
    const other = await join('silent');
    expect(other.consumption?.owned()).toHaveLength(0);
    await expect.poll(() => other.consumption?.owned().length, { timeout: 20_000 }).toBe(firstShardCount);
  });

  test('a member whose first heartbeat is late starts reading once Postgres responds', async () => {
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
    const memberId = randomUUID();
    const holding = options.database().transaction(async ({ sql }) => {
      // The heartbeat waits for the transaction that writes the same row.
      await sql`INSERT INTO log_members (consumer, member, seen_at) VALUES ('late-heartbeat', ${memberId}, now())`;
      hold();
      await isOver;
    });
    await isHeld;
    const sink = await join('late-heartbeat', () => {}, 'end', memberId);
    expect(sink.consumption?.owned()).toEqual([]);
    end();
    await holding;
    const userId = randomUUID();
    await write(userId, 3);
    await sink.received(3);
    expect(numbersOf(sink.events, userId)).toEqual([0, 1, 2]);
  });

  test('a member that cannot renew its lease gives every shard up and claims them again later', async () => {
    const sink = await join('late');
    await expect.poll(() => sink.consumption?.owned().length, { timeout: 20_000 }).toBe(firstShardCount);
    await options.database().transaction(async ({ sql }) => {
      await sql`SELECT FROM log_members WHERE consumer = 'late' FOR UPDATE`;
      await expect.poll(() => new Set(sink.revokedShards).size).toBe(firstShardCount);
    });
    await expect.poll(() => sink.consumption?.owned().length, { timeout: 20_000 }).toBe(firstShardCount);
    const userId = randomUUID();
    await write(userId, 2);
    await sink.received(2);
    expect(numbersOf(sink.events, userId)).toEqual([0, 1]);
  });

  test('a member whose position was refused gives the shard up and resumes from the recorded one', async () => {
    const sink = await join('refused');
    const userId = randomUUID();
    await write(userId, 1);
    await sink.received(1);
    await sink.recorded();
    const epoch = sink.epochs.get(shardOf(userId)) ?? 0;
    const [event] = sink.events as [LogEvent];
    const beyond = { shard: shardOf(userId), epoch, offset: event.offset + 5, day: event.day };
    await expect(options.database().transaction(async (tx) => sink.consumption?.savePositions(tx, [beyond]))).rejects.toMatchObject({
      code: 'lease_lost',
      details: { shards: [shardOf(userId)] },
    });
    await expect.poll(() => sink.revokedShards).toContain(shardOf(userId));
    await write(userId, 1, 1);
    await sink.received(2);
    expect(numbersOf(sink.events, userId)).toEqual([0, 1]);
    expect(sink.epochs.get(shardOf(userId))).toBeGreaterThan(epoch);
  });
}
