import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { noMetrics, silentLogger, addDays } from '@pulsewire/kernel';
import { createPostgresLog, jsonEvent, maintainLog, shardOf, withEvents } from '@pulsewire/eventlog';
import { CollectingSink } from '../../support/collecting-sink.ts';
import { useDatabase } from '../../support/database.ts';

const file = useDatabase({ connectionsMax: 10 });
const createLog = () => createPostgresLog({ database: file.current, logger: silentLogger, metrics: noMetrics, leaseMs: 1500 });

const emitMany = (userId: string, count: number) =>
  withEvents(file.current, async (_tx, emit) => {
    for (let i = 0; i < count; i++) emit(jsonEvent({ eventType: 'x', teamId: userId, userId, clientUserId: null, data: { number: i } }));
  });

describe('the reader on Postgres', () => {
  test('a quiet user does not wait for the whole backlog of a busy one', async () => {
    const sink = new CollectingSink(file.current);
    sink.isRecording = false;
    sink.available = 100;
    const busy = Array.from({ length: 500 }, () => randomUUID()).find((id) => shardOf(id) === 0) ?? '';
    const quiet = Array.from({ length: 500 }, () => randomUUID()).find((id) => shardOf(id) === 63) ?? '';
    sink.consumption = await createLog().consume({ group: 'fair', memberId: 'one', from: 'end', sink });
    await withEvents(file.current, async (_tx, emit) => {
      for (let i = 0; i < 5000; i++) emit(jsonEvent({ eventType: 'x', teamId: busy, userId: busy, clientUserId: null, data: {} }));
      emit(jsonEvent({ eventType: 'x', teamId: quiet, userId: quiet, clientUserId: null, data: {} }));
    });
    await sink.received(5001);
    await sink.consumption.stop();
    // Each read returns a hundred events, shared among 64 shards.
    expect(sink.events.findIndex((event) => event.userId === quiet)).toBeLessThan(1000);
  });

  test('a group that starts at the beginning starts at the first event that retention kept', async () => {
    const userId = randomUUID();
    const today = new Date().toISOString().slice(0, 10);
    const old = addDays(today, -40);
    await file.current.sql`DELETE FROM log_positions`;
    await emitMany(userId, 3);
    await file.current.sql`UPDATE log_events SET day = ${old} WHERE user_id = ${userId}`;
    await maintainLog(file.current, { today: old, keepDays: 30 });
    expect(await maintainLog(file.current, { today, keepDays: 30 })).not.toEqual([]);
    await emitMany(userId, 2);
    const sink = new CollectingSink(file.current);
    sink.consumption = await createLog().consume({ group: 'late', memberId: 'one', from: 'start', sink });
    try {
      await expect.poll(() => sink.events.filter((event) => event.userId === userId).length, { timeout: 4000 }).toBe(2);
    } finally {
      await sink.recorded();
      await sink.consumption.stop();
    }
  });

  test('a member that lost its lease releases what exceeds its share when another has joined', async () => {
    const [first, second] = [new CollectingSink(file.current), new CollectingSink(file.current)];
    first.consumption = await createLog().consume({ group: 'orphans', memberId: 'one', from: 'end', sink: first });
    await expect.poll(() => first.consumption?.owned().length).toBe(64);
    await file.current.transaction(async ({ sql }) => {
      // Its heartbeats wait for the holder of its row until its lease has expired.
      await sql`SELECT FROM log_members WHERE consumer = 'orphans' FOR UPDATE`;
      await expect.poll(() => first.revokedShards.length).toBe(64);
      await sql`INSERT INTO log_members (consumer, member, seen_at) VALUES ('orphans', 'two', now())`;
    });
    second.consumption = await createLog().consume({ group: 'orphans', memberId: 'two', from: 'end', sink: second });
    await expect.poll(() => [first, second].map((sink) => sink.consumption?.owned().length)).toEqual([32, 32]);
    await Promise.all([first, second].map(async (sink) => sink.consumption?.stop()));
  });

  test('a transaction whose connection is lost commits nothing, even if its work continues', async () => {
    const sql = file.current.sql;
    await sql`CREATE TABLE halves (half integer)`;
    let lost: () => void = () => {};
    const isLost = new Promise<void>((resolve) => (lost = resolve));
    let pid = 0;
    let rest: Promise<unknown> = Promise.resolve();
    const transaction = file.current.transaction((tx) => {
      rest = (async () => {
        const [row] = await tx.sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
        await tx.sql`INSERT INTO halves VALUES (1)`;
        pid = row?.pid ?? 0;
        // Like work that is not a statement: a file, a hash, another service.
        await isLost;
        await tx.sql`INSERT INTO halves VALUES (2)`;
      })();
      return rest;
    });
    // The connection may be lost before pg_terminate_backend responds.
    const refused = transaction.catch((error: unknown) => error);
    await expect.poll(() => pid).toBeGreaterThan(0);
    await sql`SELECT pg_terminate_backend(${pid})`;
    expect(await refused).toBeInstanceOf(Error);
    // The pool reconnects, on the same connection object.
    await Promise.all(Array.from({ length: 20 }, () => sql`SELECT pg_sleep(0.02)`));
    lost();
    await rest.catch(() => {});
    expect(await sql`SELECT half FROM halves`).toEqual([]);
  });
});
