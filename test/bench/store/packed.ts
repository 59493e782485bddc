import { randomUUID } from 'node:crypto';
import type { Sample, SampleGroup } from '@pulsewire/contract';
import { openDatabase, type Database } from '@pulsewire/database';
import { createDatabase, dropDatabase } from '@pulsewire/database/testing';
import { startTestServer } from '../../support/test-server.ts';
import { maintainLog, withEvents } from '@pulsewire/eventlog';
import {
  drawVersion,
  maintainReceipts,
  packSamples,
  scanSamples,
  writeRecords,
  type RecordOwner,
  type WriteOutcome,
} from '@pulsewire/store';
import { describeMachine, perSecond, type Benchmark, type Line } from '../report.ts';

const baseMs = Date.UTC(2026, 0, 1);
const dayMs = 86_400_000;

/** Numbers from 0 to below 1, the same in every run. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A day of a watch: a heart rate that wanders, every 1 to 15 seconds, and the steps of each minute, none at night. */
function dayOf(day: number): readonly SampleGroup[] {
  const next = sequence(day + 1);
  const source = { provider: 'fitbit', type: 'watch' };
  const beats: Sample[] = [];
  let rate = 60;
  for (let ts = baseMs + day * dayMs; ts < baseMs + (day + 1) * dayMs; ts += 1000 * (1 + Math.floor(next() * 15))) {
    rate = Math.min(180, Math.max(45, rate + Math.round(next() * 6 - 3)));
    beats.push({ ts, value: rate, timezoneOffset: 3600 });
  }
  const steps = Array.from({ length: 1440 }, (_, minute): Sample => {
    const ts = baseMs + day * dayMs + minute * 60_000;
    const isWalking = minute > 420 && next() < 0.4;
    return { ts, end: ts + 60_000, value: isWalking ? Math.round(next() * 130) : 0, timezoneOffset: 3600 };
  });
  return [
    { kind: 'samples', resource: 'heartrate', source, samples: beats },
    { kind: 'samples', resource: 'steps', source, samples: steps },
  ];
}

const countOf = (groups: readonly SampleGroup[]) => groups.reduce((sum, { samples }) => sum + samples.length, 0);

/** The same with every hundredth value changed. */
const corrected = (groups: readonly SampleGroup[]): readonly SampleGroup[] =>
  groups.map((group) => ({
    ...group,
    samples: group.samples.map((sample, index) => (index % 100 === 0 ? { ...sample, value: (sample.value ?? 0) + 1 } : sample)),
  }));

interface Cost {
  readonly ms: number;
  readonly walBytes: number;
  readonly events: number;
}

async function walPosition({ sql }: Database): Promise<number> {
  const [row] = await sql<{ bytes: string }[]>`SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text AS bytes`;
  return Number(row?.bytes);
}

/** Writes days, a response and transaction for each. */
async function write(
  database: Database,
  owner: RecordOwner,
  days: readonly (readonly SampleGroup[])[],
  { isAfterCheckpoint } = { isAfterCheckpoint: true },
): Promise<Cost> {
  if (isAfterCheckpoint) await database.sql`CHECKPOINT`;
  const before = await walPosition(database);
  const start = performance.now();
  let events = 0;
  for (const records of days) {
    const version = await drawVersion(database);
    const written: WriteOutcome = await withEvents(database, (tx, emit) =>
      writeRecords(tx, emit, { owner, version, origin: 'live', sourceId: 3, traceId: null, records, offsetsFrom: 'value' }),
    );
    events += written.events;
  }
  return { ms: performance.now() - start, walBytes: (await walPosition(database)) - before, events };
}

/** The fastest of three scans. */
async function scanMs(database: Database, { teamId, userId }: RecordOwner): Promise<{ readonly ms: number; readonly count: number }> {
  let [ms, count] = [Infinity, 0];
  for (let round = 0; round < 3; round += 1) {
    const start = performance.now();
    count = 0;
    const scan = { teamId, userId, resource: 'heartrate', fromMs: 0, toMs: Date.UTC(2030) };
    for await (const chunk of scanSamples(database, scan, (query) => query()))
      chunk.visit(0, chunk.count, () => {
        count += 1;
      });
    ms = Math.min(ms, performance.now() - start);
  }
  return { ms, count };
}

async function tableBytes({ sql }: Database, table: 'samples' | 'sample_pieces'): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`SELECT pg_total_relation_size(${table})::float8 AS bytes`;
  return row?.bytes ?? 0;
}

async function measure(database: Database, count: number): Promise<readonly Line[]> {
  const today = new Date().toISOString().slice(0, 10);
  await maintainLog(database, { today, keepDays: 30 });
  await maintainReceipts(database, { today, keepDays: 30 });
  const days = Array.from({ length: count }, (_, day) => dayOf(day));
  const changed = days.map(corrected);
  const samples = days.reduce((sum, groups) => sum + countOf(groups), 0);
  const newOwner = (): RecordOwner => ({ teamId: randomUUID(), userId: randomUUID(), clientUserId: 'bench' });
  const pack = () => packSamples(database, { before: '2029-01-01' }, new AbortController().signal);

  // Warms up both sides.
  const first = newOwner();
  await write(database, first, days.slice(0, 2));
  await pack();
  await write(database, first, changed.slice(0, 2));
  await database.sql`TRUNCATE samples, sample_pieces`;

  const owner = newOwner();
  await write(database, owner, days);
  await database.sql`VACUUM ANALYZE samples`;
  const rowBytes = await tableBytes(database, 'samples');
  const rowScan = await scanMs(database, owner);
  // The first replay reads pages that Postgres has not marked as seen; it logs each of them once.
  await write(database, owner, days);
  const rowReplay = await write(database, owner, days, { isAfterCheckpoint: false });
  const rowCorrection = await write(database, owner, changed);

  await write(database, owner, days);
  const packStart = performance.now();
  await pack();
  const packMs = performance.now() - packStart;
  await database.sql`VACUUM ANALYZE sample_pieces`;
  const bytes = await tableBytes(database, 'sample_pieces');
  const scan = await scanMs(database, owner);
  await write(database, owner, days);
  const replay = await write(database, owner, days, { isAfterCheckpoint: false });
  const correction = await write(database, owner, changed);

  const perSample = (value: number) => `${(value / samples).toFixed(2)} B`;
  return [
    {
      what: 'bytes at rest a sample, packed',
      figure: perSample(bytes),
      against: `rows ${perSample(rowBytes)}`,
      ratio: bytes / rowBytes,
      aim: '<= 3 B',
    },
    { what: 'packing', figure: perSecond(samples, packMs) },
    {
      what: 'identical replay over packed days',
      figure: perSecond(samples, replay.ms),
      against: `over rows ${perSecond(samples, rowReplay.ms)}`,
      ratio: rowReplay.ms / replay.ms,
    },
    {
      what: 'identical replay over packed days: WAL a sample, events',
      figure: `${perSample(replay.walBytes)}, ${replay.events}`,
      against: `over rows ${perSample(rowReplay.walBytes)}, ${rowReplay.events}`,
      aim: '<= 0.1 B, 0',
    },
    {
      what: `correcting every hundredth sample of ${count} packed days`,
      figure: `${Math.round(correction.ms)} ms`,
      against: `of rows ${Math.round(rowCorrection.ms)} ms`,
      ratio: correction.ms / rowCorrection.ms,
      aim: '<= 2',
    },
    {
      what: 'the same: WAL',
      figure: `${Math.round(correction.walBytes / 1024)} KiB`,
      against: `of rows ${Math.round(rowCorrection.walBytes / 1024)} KiB`,
      ratio: correction.walBytes / rowCorrection.walBytes,
      aim: '<= 2',
    },
    {
      what: 'scanning packed heart rates',
      figure: perSecond(scan.count, scan.ms),
      against: `rows ${perSecond(rowScan.count, rowScan.ms)}`,
      ratio: rowScan.ms / scan.ms,
    },
  ];
}

/** Packed days compared with the same days in rows: space, replay, correction, scan. */
export const packedBenchmark: Benchmark = {
  name: 'packed',
  async run({ isQuick }) {
    const server = await startTestServer({ durable: true });
    try {
      console.log(`  ${describeMachine(`Postgres ${server.majorVersion}, fsync on`)}`);
      const database = openDatabase({ url: await createDatabase(server.adminUrl, 'bench_packed', server.template), connectionsMax: 4 });
      try {
        return await measure(database, isQuick ? 6 : 30);
      } finally {
        await database.close();
        await dropDatabase(server.adminUrl, 'bench_packed');
      }
    } finally {
      await server.stop();
    }
  },
};
