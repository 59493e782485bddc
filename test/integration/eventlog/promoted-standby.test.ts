import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import { migrate, openDatabase, type Database } from '@pulsewire/database';
import { createPostgresLog, generationOf, jsonEvent, withEvents, type LogEvent } from '@pulsewire/eventlog';
import { CollectingSink } from '../../support/collecting-sink.ts';
import { startReplicatedServer, type ReplicatedServer } from '../../support/replicated-server.ts';

let servers: ReplicatedServer;
let database: Database;

beforeAll(async () => {
  servers = await startReplicatedServer(['pulsewire']);
  database = openDatabase({ url: servers.url('pulsewire'), connectionsMax: 8 });
  await migrate(database);
}, 120_000);

afterAll(async () => {
  await database.close();
  await servers.stop();
}, 60_000);

const teamId = randomUUID();

async function write(userId: string, numbers: readonly number[]): Promise<void> {
  await withEvents(database, async (_tx, emit) => {
    for (const number of numbers) emit(jsonEvent({ eventType: 'x', teamId, userId, clientUserId: null, data: { number } }));
  });
}

/** Retries connections that broke with their server, as every client of a cluster does; they are not what is tested here. */
async function writeAgain(userId: string, numbers: readonly number[]): Promise<void> {
  await expect.poll(() => write(userId, numbers).then(() => 'written', String), { timeout: 20_000 }).toBe('written');
}

const numbersOf = (events: readonly LogEvent[]) =>
  events.map(({ body }) => (JSON.parse(body.kind === 'json' ? body.json : '{}') as { number: number }).number);

test(
  'delivers everything that a promoted standby commits, though the old primary had used offsets beyond',
  { timeout: 120_000 },
  async () => {
    const sink = new CollectingSink(database);
    const userId = randomUUID();
    const log = createPostgresLog({ database, logger: silentLogger, metrics: noMetrics, leaseMs: 2000 });
    sink.consumption = await log.consume({ group: 'reader', memberId: 'one', from: 'start', sink });
    const positionOf = async () => {
      const rows = await database.sql<{ offset: string }[]>`SELECT max("offset") AS "offset" FROM log_positions WHERE consumer = 'reader'`;
      return Number(rows[0]?.offset);
    };
    await write(userId, [0, 1, 2]);
    await sink.received(3);
    await expect.poll(positionOf).toBe(3);
    // Events that were read but not recorded by then must be read again after the failover.
    sink.isRecording = false;
    await write(userId, [3, 4]);
    await sink.received(5);
    await servers.caughtUp();
    await servers.cutReplication();
    sink.isRecording = true;
    await write(userId, [100, 101, 102, 103, 104]);
    await sink.received(10);
    await expect.poll(positionOf).toBe(10);
    await servers.failOver();
    await writeAgain(userId, [5, 6, 7, 8, 9]);
    await expect.poll(() => numbersOf(sink.events).filter((number) => number >= 5 && number < 100).length, { timeout: 20_000 }).toBe(5);
    // The remaining server has no record of 3 and 4: they are read again, in order with the rest.
    await expect.poll(() => numbersOf(sink.events.slice(10)), { timeout: 20_000 }).toEqual([3, 4, 5, 6, 7, 8, 9]);
    const again = sink.events.slice(10);
    const offsets = again.map(({ offset }) => offset);
    expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
    expect(again.map(({ offset }) => generationOf(offset))).toEqual([1, 1, 2, 2, 2, 2, 2]);
    const lost = new Set(sink.events.slice(5, 10).map(({ offset }) => offset));
    expect(offsets.filter((offset) => lost.has(offset))).toEqual([]);
    await expect.poll(positionOf, { timeout: 20_000 }).toBe((offsets.at(-1) ?? 0) + 1);
    const [generation] = await database.sql`SELECT ends_at::int, reason FROM log_generations WHERE generation = 1 AND ends_at = 5`;
    expect(generation).toMatchObject({ ends_at: 5 });
    await sink.consumption.stop();
  },
);
