import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CanonicalRecord, Sample, SampleGroup } from '@pulsewire/contract';
import { withEvents } from '@pulsewire/eventlog';
import {
  drawVersion,
  eraseRecords,
  eraseSamples,
  findMissing,
  lockRecords,
  packSamples,
  readDataExtents,
  readDayTotals,
  readGroupedSamples,
  readMergedSamples,
  readOffsetOrigins,
  readSampleInstants,
  readSamplesAt,
  readSamplesWithin,
  readSourceExtents,
  readStoredDay,
  readStoredDays,
  scanSamples,
  sourceOrder,
  stateOfSamples,
  writeRecords,
  type RecordOwner,
} from '@pulsewire/store';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase({ connectionsMax: 8 });
const startMs = Date.UTC(2026, 0, 5);
const dayMs = 86_400_000;
const source = { provider: 'fitbit', type: 'watch' };

const newOwner = (): RecordOwner => ({ teamId: randomUUID(), userId: randomUUID(), clientUserId: 'someone' });
const signal = new AbortController().signal;
const pack = () => packSamples(database.current, { before: '2027-01-01' }, signal);

async function write(owner: RecordOwner, records: readonly CanonicalRecord[], version?: bigint) {
  const drawn = version ?? (await drawVersion(database.current));
  return withEvents(database.current, (tx, emit) =>
    writeRecords(tx, emit, { owner, version: drawn, origin: 'live', sourceId: 3, traceId: null, records, offsetsFrom: 'provider' }),
  );
}

const groupOf = (resource: string, samples: readonly Sample[], more: Partial<SampleGroup['source']> = {}): SampleGroup => ({
  kind: 'samples',
  resource,
  source: { ...source, ...more },
  samples,
});

/** Steps of every minute, and a heart rate about every five seconds, of some days. */
function days(count: number): CanonicalRecord[] {
  const minutes = Array.from({ length: count * 1440 }, (_, index): Sample => {
    const ts = startMs + index * 60_000;
    return { ts, end: ts + 60_000, value: (index * 7919) % 180, timezoneOffset: index < 1440 ? 3600 : 7200 };
  });
  const beats = Array.from({ length: count * 4000 }, (_, index): Sample => {
    const ts = startMs + index * 20_000 + ((index * 31) % 19) * 1000;
    return { ts, value: 50 + ((index * 13) % 120) / 2, timezoneOffset: null };
  });
  return [
    groupOf('steps', minutes, { appId: 'com.example' }),
    groupOf('heartrate', beats),
    groupOf('heartrate', beats.slice(0, 5000), { type: 'ring' }),
  ];
}

async function everyRead(owner: RecordOwner): Promise<unknown[]> {
  const { teamId, userId } = owner;
  const of = { teamId, userId };
  const { provider } = source;
  const executor = database.current;
  const [fromMs, toMs] = [startMs - dayMs, startMs + 5 * dayMs];
  const results: unknown[] = [];
  for (const resource of ['steps', 'heartrate']) {
    const query = { ...of, resource, fromMs, toMs };
    const scanned: unknown[] = [];
    for await (const chunk of scanSamples(executor, query, (run) => run())) chunk.visit(0, chunk.count, (...parts) => scanned.push(parts));
    results.push(scanned, await readGroupedSamples(executor, { ...query, limit: 30_000 }));
    const page = await readGroupedSamples(executor, { ...query, limit: 1700 });
    results.push(page, await readGroupedSamples(executor, { ...query, limit: 1700, cursor: page.nextCursor }));
    results.push(
      await readMergedSamples(executor, { ...query, limit: 2000 }, sourceOrder([]), ''),
      await readOffsetOrigins(executor, query),
    );
    results.push(await readStoredDay(executor, { ...of, resource, day: '2026-01-06' }));
    const spans = [{ sourceType: 'watch', resource, fromDay: startMs / dayMs, toDay: startMs / dayMs + 2 }];
    results.push(await readDayTotals(executor, { ...of, provider, spans, rates: ['heartrate'] }));
    const series = { ...of, provider, resources: [resource] };
    const instants = [0, 1500, 2000].map((index) => ({ sourceType: 'watch', atMs: startMs + index * 60_000 }));
    results.push(await readSamplesAt(executor, { ...series, instants }), await readSourceExtents(executor, series));
    results.push(await readSampleInstants(executor, { ...series, afterMs: startMs + 70 * 60_000, limit: 100 }));
    const windows = [
      { appId: resource === 'steps' ? 'com.example' : null, fromMs: startMs + 1400 * 60_000, toMs: startMs + 1450 * 60_000 },
    ];
    results.push(await readSamplesWithin(executor, { ...series, windows }));
    const wanted = [-1, 0, 1, 2].map((day) => ({
      resource,
      day: '2020-01-01',
      fromMs: startMs + day * dayMs,
      toMs: startMs + (day + 1) * dayMs,
    }));
    results.push(await readStoredDays(executor, { ...of, provider }, wanted));
  }
  results.push(await readDataExtents(executor, { teamId, userIds: [userId], provider: null }));
  return results;
}

async function formsOf(owner: RecordOwner): Promise<{ rows: number; pieces: number; packed: number }> {
  const [found] = await database.current.sql<{ rows: number; pieces: number; packed: number }[]>`
    SELECT (SELECT count(*)::int FROM samples JOIN sources o USING (user_source_id) WHERE o.user_id = ${owner.userId}) AS rows,
      (SELECT count(*)::int FROM sample_pieces JOIN sources o USING (user_source_id) WHERE o.user_id = ${owner.userId}) AS pieces,
      (SELECT coalesce(sum(count), 0)::int FROM sample_pieces JOIN sources o USING (user_source_id) WHERE o.user_id = ${owner.userId}) AS packed`;
  return found ?? { rows: 0, pieces: 0, packed: 0 };
}

test('every read returns the same from rows, from pieces, and from both', async () => {
  const owner = newOwner();
  await write(owner, days(3));
  const before = await everyRead(owner);
  await packSamples(database.current, { before: '2026-01-06' }, signal);
  const half = await formsOf(owner);
  expect(half.rows).toBeGreaterThan(0);
  expect(half.packed).toBeGreaterThan(0);
  expect(await everyRead(owner)).toEqual(before);
  await pack();
  expect(await formsOf(owner)).toMatchObject({ rows: 0, packed: 3 * 5440 + 5000 });
  expect(await everyRead(owner)).toEqual(before);
});

test('a replay of packed days writes and announces nothing, and a correction only what differs', async () => {
  const owner = newOwner();
  const records = days(2);
  await write(owner, records);
  await pack();
  const before = await database.current
    .sql`SELECT * FROM sample_pieces p JOIN sources o USING (user_source_id) WHERE o.user_id = ${owner.userId} ORDER BY 1, 2, p.from_ts`;
  expect(await write(owner, records)).toMatchObject({ samplesCreated: 0, samplesUpdated: 0, events: 0 });
  const after = await database.current
    .sql`SELECT * FROM sample_pieces p JOIN sources o USING (user_source_id) WHERE o.user_id = ${owner.userId} ORDER BY 1, 2, p.from_ts`;
  expect(after).toEqual(before);
  const window = { ...owner, resource: 'steps', fromMs: startMs, toMs: startMs + dayMs };
  const state = await stateOfSamples(database.current, window);
  const corrected = groupOf('steps', [{ ts: startMs + 70 * 60_000, end: startMs + 71 * 60_000, value: 9999, timezoneOffset: 3600 }], {
    appId: 'com.example',
  });
  expect(await write(owner, [corrected])).toMatchObject({ samplesCreated: 0, samplesUpdated: 1, events: 1 });
  expect(await stateOfSamples(database.current, window)).not.toBe(state);
  expect(await formsOf(owner)).toMatchObject({ rows: 0, packed: 2 * 5440 + 5000 });
  const query = { ...owner, resource: 'steps', fromMs: startMs + 70 * 60_000, toMs: startMs + 70 * 60_000, limit: 5 };
  const page = await readGroupedSamples(database.current, query);
  expect(page.groups['fitbit']?.flatMap(({ data }) => data.map(({ value }) => value))).toEqual([9999]);
});

test('what a complete response lacks is found and removed from pieces', async () => {
  const owner = newOwner();
  const records = days(1);
  await write(owner, records);
  await pack();
  const version = await drawVersion(database.current);
  const kept = records.flatMap((record) =>
    record.kind === 'samples' && record.resource === 'steps' ? [{ ...record, samples: record.samples.slice(10) }] : [],
  );
  const ranges = [{ kind: 'samples' as const, resource: 'steps', sourceTypes: ['watch'], fromMs: startMs, toMs: startMs + dayMs }];
  const removals = await withEvents(database.current, (tx) =>
    findMissing(tx, { owner, provider: 'fitbit', version, since: 0n, ranges, records: kept }),
  );
  expect(removals).toMatchObject([{ ts: Array.from({ length: 10 }, (_, index) => startMs + index * 60_000) }]);
  expect(await write(owner, removals, version)).toMatchObject({ removed: 10 });
  expect(await formsOf(owner)).toMatchObject({ rows: 0, packed: 5430 + 4000 });
});

test('a run of the job that fails at any row loses and doubles nothing, and the next one continues', async () => {
  const { sql } = database.current;
  const owner = newOwner();
  await write(owner, days(2));
  const before = await everyRead(owner);
  await sql`CREATE SEQUENCE killed_at`;
  await sql.unsafe(`CREATE FUNCTION kill_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF nextval('killed_at') IN (1, 700, 3000, 3001, 7000, 9000, 16000) THEN RAISE EXCEPTION 'killed here'; END IF;
    RETURN coalesce(NEW, OLD); END $$`);
  for (const table of ['samples', 'sample_pieces'])
    await sql.unsafe(`CREATE TRIGGER kill_here BEFORE INSERT OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION kill_here()`);
  let killed = 0;
  try {
    for (let run = 0; run < 20; run += 1) {
      const isDone = await pack().then(
        () => true,
        () => false,
      );
      const { rows, packed } = await formsOf(owner);
      expect(rows + packed).toBe(2 * 5440 + 5000);
      if (isDone) break;
      killed += 1;
    }
  } finally {
    await sql`DROP FUNCTION kill_here CASCADE`;
  }
  expect(killed).toBeGreaterThan(4);
  await pack();
  expect(await formsOf(owner)).toMatchObject({ rows: 0 });
  expect(await everyRead(owner)).toEqual(before);
});

test('the job leaves a user whose data is being written to its next run, and waits for nobody', async () => {
  const [writing, other] = [newOwner(), newOwner()];
  await write(writing, days(1));
  await write(other, days(1));
  await database.current.transaction(async (tx) => {
    await lockRecords(tx, writing.userId);
    expect(await pack()).toMatchObject({ busy: 3 });
    expect(await formsOf(writing)).toMatchObject({ pieces: 0 });
    expect(await formsOf(other)).toMatchObject({ rows: 0 });
  });
  expect(await pack()).toMatchObject({ busy: 0 });
  expect(await formsOf(writing)).toMatchObject({ rows: 0 });
});

test('writers and the job at the same time end as the values received last', async () => {
  const owner = newOwner();
  const minutes = (revision: number) => [
    groupOf(
      'steps',
      Array.from({ length: 600 }, (_, index) => ({
        ts: startMs + index * 60_000,
        value: index + (index % 20 === revision ? 1000 : 0),
        timezoneOffset: 0,
      })),
    ),
  ];
  const versions = Array.from({ length: 12 }, (_, index) => BigInt(index + 1));
  const packing = (async () => {
    for (let run = 0; run < 25; run += 1) await pack();
  })();
  const shuffled = [5, 0, 11, 3, 8, 1, 10, 2, 9, 4, 7, 6];
  await Promise.all([packing, ...shuffled.map((index) => write(owner, minutes(index), versions[index]))]);
  await pack();
  const page = await readGroupedSamples(database.current, { ...owner, resource: 'steps', fromMs: 0, toMs: startMs + dayMs, limit: 1000 });
  const values = Object.values(page.groups)
    .flat()
    .flatMap(({ data }) => data.map(({ value }) => value));
  expect(values).toEqual((minutes(11)[0] as SampleGroup).samples.map(({ value }) => value));
});

test('a piece that grows beyond its limit becomes rows, which the next run packs again', async () => {
  const owner = newOwner();
  const every = (stepMs: number, count: number) =>
    Array.from({ length: count }, (_, index): Sample => ({ ts: startMs + index * stepMs, value: index % 7, timezoneOffset: 0 }));
  await write(owner, [groupOf('heartrate', every(2 * 3_600_000, 12))]);
  await pack();
  expect(await formsOf(owner)).toEqual({ rows: 0, pieces: 1, packed: 12 });
  await write(owner, [groupOf('heartrate', every(10_000, 5000))]);
  expect(await formsOf(owner)).toEqual({ rows: 5005, pieces: 0, packed: 0 });
  const query = { ...owner, resource: 'heartrate', fromMs: startMs, toMs: startMs + dayMs, limit: 10_000 };
  const before = await readGroupedSamples(database.current, query);
  await pack();
  expect(await formsOf(owner)).toEqual({ rows: 0, pieces: 7, packed: 5005 });
  expect(await readGroupedSamples(database.current, query)).toEqual(before);
});

test('erasure removes pieces too, in parts, and counts their samples', async () => {
  const owner = newOwner();
  await write(owner, days(2));
  await packSamples(database.current, { before: '2026-01-06' }, signal);
  expect(await eraseSamples(database.current, owner, signal, 3000)).toBe(2 * 5440 + 5000);
  expect(await formsOf(owner)).toEqual({ rows: 0, pieces: 0, packed: 0 });
  await write(owner, days(1));
  await pack();
  await database.current.transaction((tx) => eraseRecords(tx, owner));
  const [left] = await database.current.sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM sample_pieces WHERE user_source_id NOT IN (SELECT user_source_id FROM sources)`;
  expect(left).toEqual({ count: 0 });
});

test('programs that do not know pieces may work until samples are packed, and are refused from then on', async () => {
  const lowest = async () => {
    const [row] = await database.current.sql<{ lowest: number | null; number: number }[]>`
      SELECT lowest, number FROM schema_migrations WHERE right(name, 14) = '_sample_pieces'`;
    return row;
  };
  await pack();
  expect(await lowest()).toMatchObject({ lowest: null });
});
