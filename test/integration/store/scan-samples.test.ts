import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createPartsWriter, timeseriesResource, type CanonicalRecord, type Sample } from '@pulsewire/contract';
import { withEvents } from '@pulsewire/eventlog';
import { drawVersion, packSamples, readGroupedSamples, scanSamples, writeRecords, type RecordOwner } from '@pulsewire/store';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const startMs = Date.UTC(2026, 0, 1);
const toMs = Date.UTC(2027, 0, 1);
const group = (resource: string, type: string, samples: readonly Sample[], subKind?: string): CanonicalRecord => ({
  kind: 'samples',
  resource,
  ...(subKind !== undefined && { subKind }),
  source: { provider: 'fitbit', type },
  samples,
});

async function newOwner(...records: readonly CanonicalRecord[]): Promise<RecordOwner> {
  const owner = { teamId: randomUUID(), userId: randomUUID(), clientUserId: 'someone' };
  const version = await drawVersion(database.current);
  await withEvents(database.current, (tx, emit) =>
    writeRecords(tx, emit, { owner, version, origin: 'live', sourceId: 3, traceId: null, records }),
  );
  return owner;
}

/** The JSON of every sample of a scan. */
async function scan({ teamId, userId }: RecordOwner, resource: string): Promise<Record<string, unknown>[]> {
  const row = timeseriesResource(resource);
  const found: Record<string, unknown>[] = [];
  for await (const chunk of scanSamples(database.current, { teamId, userId, resource, fromMs: startMs, toMs }, (query) => query())) {
    chunk.visit(0, chunk.count, (subKind, ...parts) => {
      found.push(JSON.parse(createPartsWriter(row, subKind === '' ? undefined : subKind)(...parts)));
    });
  }
  return found;
}

/** The JSON of the same samples as the grouped read returns them. */
async function grouped({ teamId, userId }: RecordOwner, resource: string): Promise<unknown[]> {
  const { groups } = await readGroupedSamples(database.current, { teamId, userId, resource, fromMs: startMs, toMs, limit: 100_000 });
  return Object.values(groups).flatMap((list) => list.flatMap(({ data }) => JSON.parse(JSON.stringify(data)) as unknown[]));
}

const beats = (count: number, first: number) =>
  Array.from({ length: count }, (_, index) => ({ ts: startMs + index * 1000, value: first + (index % 7) / 8, timezoneOffset: null }));

test('a scan has every sample once and in order, however many chunks and sources it has', async () => {
  const owner = await newOwner(group('heartrate', 'watch', beats(9000, 50)), group('heartrate', 'ring', beats(12_000, 90)));
  const found = await scan(owner, 'heartrate');
  expect(found).toHaveLength(21_000);
  const times = found.map(({ timestamp }) => String(timestamp));
  expect(times).toEqual(times.toSorted());
  expect(new Set(found.map((one) => JSON.stringify(one))).size).toBe(21_000);
  expect(await scan(await newOwner(group('heartrate', 'watch', beats(20_000, 50))), 'heartrate')).toHaveLength(20_000);
});

test.each([
  [
    'steps',
    [
      { ts: startMs, end: startMs + 60_000, value: 3, timezoneOffset: 3600 },
      { ts: startMs + 60_000, value: 0, timezoneOffset: null },
    ],
  ],
  [
    'heartrate',
    [
      { ts: startMs + 123, value: 1e-7, timezoneOffset: -3600 },
      { ts: startMs + 1000, value: -1.5e22, timezoneOffset: 0 },
    ],
  ],
  [
    'distance',
    [
      { ts: startMs, end: startMs + 1500, value: 0.1, timezoneOffset: null },
      { ts: startMs + 1500, value: 12.5, timezoneOffset: 3600 },
      { ts: startMs + 300 * 86_400_000, end: startMs + 300 * 86_400_001, value: 1, timezoneOffset: 3600 },
    ],
  ],
  ['blood_pressure', [{ ts: startMs, value: 121, value2: 78, timezoneOffset: null }]],
  [
    'note',
    [
      { ts: startMs, value: null, timezoneOffset: 0, extra: { text: 'a, "b" {ü}', tags: ['food'] } },
      { ts: startMs + 1, value: null, timezoneOffset: 0 },
    ],
  ],
  [
    'water',
    [
      { ts: startMs, value: 2, timezoneOffset: 0 },
      { ts: startMs + 1, end: startMs + 2, value: 2, timezoneOffset: 0 },
    ],
  ],
  ['sleep_breathing_disturbance', [{ ts: startMs, end: startMs + 2, value: 2, timezoneOffset: 0, extra: { type: 'elevated' } }]],
] satisfies [string, Sample[]][])('a scan has the same values as the grouped read: %s', async (resource, samples) => {
  const owner = await newOwner(group(resource, 'watch', samples));
  const found = await scan(owner, resource);
  expect(found).toHaveLength(samples.length);
  expect(found).toEqual(await grouped(owner, resource));
});

test('a scan of several sub-kinds names that of each sample', async () => {
  const one = [{ ts: startMs, value: 3, timezoneOffset: 0 }];
  const owner = await newOwner(group('cholesterol', 'lab', one, 'ldl'), group('cholesterol', 'lab', one, 'hdl'));
  expect(new Set((await scan(owner, 'cholesterol')).map(({ type }) => type))).toEqual(new Set(['hdl', 'ldl']));
});

test.each([1, 2])('a scan reads each row about once, and of pieces a day at most for each chunk: sources %i', async (sources) => {
  const types = ['watch', 'ring'].slice(0, sources);
  const owner = await newOwner(...types.map((type) => group('heartrate', type, beats(40_000, 50))));
  const readOf = (table: string) =>
    database.current.transaction(async (tx) => {
      const { teamId, userId } = owner;
      const scanned = { teamId, userId, resource: 'heartrate', fromMs: startMs, toMs };
      let count = 0;
      for await (const chunk of scanSamples(tx, scanned, (query) => query())) count += chunk.count;
      const [read] = await tx.sql<{ rows: number }[]>`
        SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables WHERE relname = ${table}`;
      return { count, rows: read?.rows ?? 0 };
    });
  const rows = await readOf('samples');
  expect(rows.count).toBe(40_000 * sources);
  expect(rows.rows).toBeLessThan(2.5 * 40_000 * sources);
  await packSamples(database.current, { before: '2027-01-01' }, new AbortController().signal);
  const pieces = await readOf('sample_pieces');
  expect(pieces.count).toBe(40_000 * sources);
  // Each chunk also passes the pieces of its day that lie before it.
  expect(pieces.rows).toBeLessThan(2000 * sources);
});
