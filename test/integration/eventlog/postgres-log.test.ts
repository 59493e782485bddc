import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { noMetrics, silentLogger, addDays } from '@pulsewire/kernel';
import { createPostgresLog, jsonEvent, maintainLog, readEvents, readFrom, readLag, shardOf, withEvents } from '@pulsewire/eventlog';
import { CollectingSink } from '../../support/collecting-sink.ts';
import { useDatabase } from '../../support/database.ts';
import { describeLog } from './log-conformance.ts';

const database = useDatabase({ connectionsMax: 20 });
const createLog = (leaseMs = 1500) => createPostgresLog({ database: database.current, logger: silentLogger, metrics: noMetrics, leaseMs });

describe('the log on Postgres', () => {
  describeLog({ database: () => database.current, createLog });

  const emitOne = (userId: string) =>
    withEvents(database.current, async (_tx, emit) =>
      emit(jsonEvent({ eventType: 'x', teamId: userId, userId, clientUserId: null, data: {} })),
    );

  test('transactions over several shards never deadlock', async () => {
    const users = Array.from({ length: 12 }, () => randomUUID());
    await Promise.all(
      Array.from({ length: 30 }, (_, round) =>
        withEvents(database.current, async (_tx, emit) => {
          const order = round % 2 === 0 ? users : users.toReversed();
          for (const userId of order) emit(jsonEvent({ eventType: 'x', teamId: userId, userId, clientUserId: null, data: {} }));
        }),
      ),
    );
    const point = { shard: shardOf(users[0] ?? ''), offset: 0, day: '2020-01-01' };
    expect((await readFrom(database.current, [point], 10_000)).filter((event) => event.userId === users[0])).toHaveLength(30);
  });

  test('readEvents finds an event by its address', async () => {
    const userId = randomUUID();
    await emitOne(userId);
    const [event] = (await readFrom(database.current, [{ shard: shardOf(userId), offset: 0, day: '2020-01-01' }], 10_000)).filter(
      (found) => found.userId === userId,
    );
    expect(event).toBeDefined();
    if (event) expect(await readEvents(database.current, [event])).toEqual([event]);
  });

  test('partitions are dropped by age, but never before every consumer has passed them', async () => {
    const sink = new CollectingSink(database.current);
    const consumption = await createLog().consume({ group: 'retention', memberId: 'm', from: 'end', sink });
    await consumption.stop();
    await database.current.sql`DELETE FROM log_positions WHERE consumer <> 'retention'`;
    const today = new Date().toISOString().slice(0, 10);
    const userId = randomUUID();
    const old = addDays(today, -40);
    // An event written forty days ago, before the partition of that day was created.
    await emitOne(userId);
    await database.current.sql`UPDATE log_events SET day = ${old} WHERE user_id = ${userId}`;
    await maintainLog(database.current, { today: old, keepDays: 30 });
    const point = { shard: shardOf(userId), offset: 0, day: '2020-01-01' };
    expect((await readFrom(database.current, [point], 1000)).filter((event) => event.userId === userId)).toHaveLength(1);

    await database.current.sql`UPDATE log_positions SET day = ${old} WHERE consumer = 'retention' AND shard = ${shardOf(userId)}`;
    expect(await maintainLog(database.current, { today, keepDays: 30 })).toEqual([]);
    expect((await readLag(database.current, 'retention')).events).toBe(1);
    await database.current
      .sql`UPDATE log_positions SET "offset" = "offset" + 1, day = ${today} WHERE consumer = 'retention' AND shard = ${shardOf(userId)}`;
    expect(await maintainLog(database.current, { today, keepDays: 30 })).toContain(`log_events_${old.replaceAll('-', '')}`);
  });
});
