import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { openDatabase, type Database } from '@pulsewire/database';
import { createDatabase, dropDatabase } from '@pulsewire/database/testing';
import { startTestServer } from '../../support/test-server.ts';
import { maintainLog, withEvents } from '@pulsewire/eventlog';
import { drawVersion, maintainReceipts, writeRecords, type RecordOwner } from '@pulsewire/store';
import { encodeBinaryCopy } from './binary-copy.ts';
import { describeMachine, median, perSecond, type Benchmark, type Line } from '../report.ts';
import { irregularSamples, minuteSamples } from './samples.ts';

const resources = ['steps', 'distance', 'calories_active', 'heartrate'];

/** How fast samples are stored, compared with COPY into the same table; and the cost of an identical replay. */
export const storeBenchmark: Benchmark = {
  name: 'store',
  async run({ isQuick }) {
    const server = await startTestServer({ durable: true });
    const lines: Line[] = [];
    try {
      for (const batchSize of [1000, 5000, 20_000]) {
        const url = await createDatabase(server.adminUrl, `bench_store_${batchSize}`, server.template);
        const database = openDatabase({ url, connectionsMax: 4 });
        try {
          if (lines.length === 0) console.log(`  ${describeMachine(`Postgres ${server.majorVersion}, fsync on`)}`);
          lines.push(...(await measure(database, batchSize, isQuick)));
        } finally {
          await database.close();
          await dropDatabase(server.adminUrl, `bench_store_${batchSize}`);
        }
      }
    } finally {
      await server.stop();
    }
    return lines;
  },
};

async function measure(database: Database, batchSize: number, isQuick: boolean): Promise<readonly Line[]> {
  const today = new Date().toISOString().slice(0, 10);
  await maintainLog(database, { today, keepDays: 30 });
  await maintainReceipts(database, { today, keepDays: 30 });
  await database.sql`CREATE TABLE copied (LIKE samples INCLUDING ALL)`;
  const perRound = isQuick ? 40_000 : 160_000;
  const rounds = isQuick ? 3 : 5;
  const owners: RecordOwner[] = Array.from({ length: rounds + 1 }, () => ({
    teamId: randomUUID(),
    userId: randomUUID(),
    clientUserId: 'bench',
  }));
  const ours: number[] = [];
  const copies: number[] = [];
  const binaries: number[] = [];
  // Round 0 warms up; the two sides take turns so that both see the same machine.
  for (let round = 0; round <= rounds; round++) {
    const owner = owners[round] as RecordOwner;
    const oursMs = await timed(() => writeAll(database, owner, batchSize, perRound));
    const copyMs = await timed(() => copyAll(database, 2 * round, batchSize, perRound));
    const encoded = encodeAll(2 * round + 1, batchSize, perRound);
    const binaryMs = await timed(() => copyEncoded(database, encoded));
    if (round > 0) {
      ours.push(oursMs);
      copies.push(copyMs);
      binaries.push(binaryMs);
    }
  }
  const fresh = median(ours);
  const copy = median(copies);
  const binary = median(binaries);

  await database.sql`VACUUM ANALYZE samples`;
  await database.sql`CHECKPOINT`;
  const replayed = owners.slice(1);
  const walBefore = await walPosition(database);
  const eventsBefore = await eventCount(database);
  const replayMs = await timed(async () => {
    for (const owner of replayed) await writeAll(database, owner, batchSize, perRound);
  });
  const total = replayed.length * perRound;
  const walBytes = (await walPosition(database)) - walBefore;
  const replayEvents = (await eventCount(database)) - eventsBefore;
  const irregularWal = await irregularReplayWal(database, batchSize, isQuick ? 20 : 60);
  const mixedMs = await timed(() => writeAll(database, replayed[0] as RecordOwner, batchSize, perRound, 5));

  const size = batchSize.toLocaleString('en-US');
  return [
    {
      what: `fresh ranges, batches of ${size}`,
      figure: perSecond(perRound, fresh),
      against: `COPY ${perSecond(perRound, copy)}`,
      ratio: copy / fresh,
      aim: '>= 0.6',
    },
    {
      what: `fresh ranges, batches of ${size}`,
      figure: perSecond(perRound, fresh),
      against: `binary COPY, encoded beforehand ${perSecond(perRound, binary)}`,
      ratio: binary / fresh,
    },
    {
      what: `mixed (a tenth changed), batches of ${size}`,
      figure: perSecond(perRound, mixedMs),
      against: `COPY ${perSecond(perRound, copy)}`,
      ratio: copy / mixedMs,
    },
    {
      what: `identical replay, batches of ${size}`,
      figure: perSecond(total, replayMs),
      against: `COPY ${perSecond(perRound, copy)}`,
      ratio: (copy / perRound) * (total / replayMs),
    },
    { what: `identical replay, batches of ${size}: WAL a sample`, figure: `${(walBytes / total).toFixed(2)} B`, aim: '<= 1 B' },
    {
      what: `identical replay, batches of ${size}, irregular seconds: WAL a sample`,
      figure: `${irregularWal.later.toFixed(2)} B (the first after a load ${irregularWal.first.toFixed(2)} B)`,
      aim: '<= 1 B',
    },
    { what: `identical replay, batches of ${size}: events`, figure: String(replayEvents), aim: '0' },
  ];
}

/**
 * WAL per sample of replaying heart rates at irregular seconds: the first replay after the load, and later ones. The first one
 * is also the first to read those pages, and with data checksums Postgres logs a page once when it sets hint bits.
 */
async function irregularReplayWal(database: Database, batchSize: number, batches: number): Promise<{ first: number; later: number }> {
  const owner: RecordOwner = { teamId: randomUUID(), userId: randomUUID(), clientUserId: 'bench' };
  const writeOnce = async () => {
    for (let batch = 0; batch < batches; batch++) {
      const version = await drawVersion(database);
      const records = [irregularSamples({ from: batch * batchSize * 2, count: batchSize })];
      await withEvents(database, (tx, emit) =>
        writeRecords(tx, emit, { owner, version, origin: 'live', sourceId: 3, traceId: null, records, offsetsFrom: 'value' }),
      );
    }
  };
  const walOf = async (work: () => Promise<void>) => {
    const before = await walPosition(database);
    await work();
    return (await walPosition(database)) - before;
  };
  await writeOnce();
  await database.sql`VACUUM ANALYZE samples`;
  await database.sql`CHECKPOINT`;
  const first = (await walOf(writeOnce)) / (batches * batchSize);
  await database.sql`CHECKPOINT`;
  const later = await walOf(async () => {
    for (let replay = 0; replay < 3; replay++) await writeOnce();
  });
  return { first, later: later / (3 * batches * batchSize) };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function writeAll(database: Database, owner: RecordOwner, batchSize: number, total: number, revision = 0): Promise<void> {
  const perSeries = total / resources.length;
  for (const resource of resources) {
    for (let from = 0; from < perSeries; from += batchSize) {
      const version = await drawVersion(database);
      const records = [minuteSamples({ resource, from, count: Math.min(batchSize, perSeries - from), revision })];
      await withEvents(database, (tx, emit) =>
        writeRecords(tx, emit, { owner, version, origin: 'live', sourceId: 3, traceId: null, records, offsetsFrom: 'value' }),
      );
    }
  }
}

/** The limit: the same rows by text COPY in the same batches, one transaction each, no conflict handling, no events. */
async function copyAll(database: Database, round: number, batchSize: number, total: number): Promise<void> {
  const perSeries = total / resources.length;
  const connection = await database.reserve();
  try {
    for (const [index, resource] of resources.entries()) {
      for (let from = 0; from < perSeries; from += batchSize) {
        const { samples } = minuteSamples({ resource, from, count: Math.min(batchSize, perSeries - from) });
        const stream = await connection`COPY copied (user_source_id, series, tz_offset, ts, version, value, end_ts) FROM STDIN`.writable();
        let text = '';
        for (const sample of samples) {
          text += `${round}\t${index}\t${sample.timezoneOffset}\t${new Date(sample.ts).toISOString()}\t1\t${sample.value}\t${new Date(sample.end ?? 0).toISOString()}\n`;
        }
        if (!stream.write(text)) await once(stream, 'drain');
        stream.end();
        await finished(stream, { readable: false });
      }
    }
  } finally {
    connection.release();
  }
}

function encodeAll(round: number, batchSize: number, total: number): Buffer[] {
  const perSeries = total / resources.length;
  const batches: Buffer[] = [];
  for (const [index, resource] of resources.entries()) {
    for (let from = 0; from < perSeries; from += batchSize) {
      batches.push(encodeBinaryCopy(round, index, minuteSamples({ resource, from, count: Math.min(batchSize, perSeries - from) }).samples));
    }
  }
  return batches;
}

/** The hardest limit: rows encoded before the clock starts, so that only the transport and the server are measured. */
async function copyEncoded(database: Database, batches: readonly Buffer[]): Promise<void> {
  const connection = await database.reserve();
  try {
    for (const batch of batches) {
      const stream =
        await connection`COPY copied (user_source_id, series, tz_offset, ts, version, value, end_ts) FROM STDIN (FORMAT binary)`.writable();
      if (!stream.write(batch)) await once(stream, 'drain');
      stream.end();
      await finished(stream, { readable: false });
    }
  } finally {
    connection.release();
  }
}

async function walPosition({ sql }: Database): Promise<number> {
  const [row] = await sql<{ bytes: string }[]>`SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text AS bytes`;
  return Number(row?.bytes);
}

async function eventCount({ sql }: Database): Promise<number> {
  const [row] = await sql<{ count: string }[]>`
    SELECT coalesce(sum(coalesce(g.ends_at, s.next_offset) - g.begins_at), 0)::text AS count
    FROM log_shards s JOIN log_generations g USING (shard)`;
  return Number(row?.count);
}
