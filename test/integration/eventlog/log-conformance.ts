import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import type { Database } from '@pulsewire/database';
import { jsonEvent, firstShardCount, shardOf, withEvents, type EventLog, type LogEvent } from '@pulsewire/eventlog';
import { CollectingSink } from '../../support/collecting-sink.ts';

/** What every implementation of the log promises. */
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
  ): Promise<CollectingSink> {
    const sink = new CollectingSink(options.database());
    configure(sink);
    sink.consumption = await options.createLog().consume({ group, memberId: randomUUID(), from, sink });
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

  // A real event with a number in it, so that a log with schemas can carry it.
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

  test('a user reads back in the order of the commits, with dense offsets, under several writers', async () => {
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

  test('what a rolled-back transaction emitted is never read, and leaves no gap', async () => {
    const sink = await join('rollback');
    const userId = randomUUID();
    await write(userId, 1, 1);
    await expect(
      withEvents(options.database(), async (_tx, emit) => {
        emit(numbered(userId, 99));
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    await write(userId, 1, 2);
    await sink.received(2);
    expect(numbersOf(sink.events, userId)).toEqual([1, 2]);
    expect((sink.events[1]?.offset ?? 0) - (sink.events[0]?.offset ?? 0)).toBe(1);
  });

  test('two members share the shards, and one that leaves hands its share over without loss or repetition', async () => {
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

  test('what a member took but did not record before it died is read again by the next, in order', async () => {
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

  test('a consumer without room is not handed anything, and goes on where it was when there is room', async () => {
    const sink = await join('room', (slow) => (slow.room = 0));
    const userId = randomUUID();
    await write(userId, 3);
    sink.consumption?.wake();
    await expect.poll(() => sink.events.length, { timeout: 500 }).toBe(0);
    sink.room = 2;
    sink.consumption?.wake();
    await sink.received(2);
    sink.room = 10;
    sink.consumption?.wake();
    await sink.received(3);
    expect(numbersOf(sink.events, userId)).toEqual([0, 1, 2]);
  });

  test('a new group starts at the end or at the very beginning, as it asks', async () => {
    const userId = randomUUID();
    await write(userId, 2);
    const late = await join('late');
    const early = await join('early', () => {}, 'start');
    await expect.poll(() => numbersOf(early.events, userId), { timeout: 10_000 }).toEqual([0, 1]);
    await write(userId, 1, 2);
    await late.received(1);
    expect(numbersOf(late.events, userId)).toEqual([2]);
  });
}
