import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CanonicalRecord, CompleteRange } from '@pulsewire/contract';
import type { Sql, Tx } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import { drawVersion, findMissing, writeRecords, type PresentRecord, type RecordOwner } from '@pulsewire/store';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const source = { provider: 'fitbit', type: 'watch' };
const startMs = Date.UTC(2026, 0, 5);

const heart = (count: number, from = 0) => ({
  kind: 'samples' as const,
  resource: 'heartrate',
  source,
  samples: Array.from({ length: count }, (_, index) => ({ ts: startMs + (from + index) * 5000, value: 60, timezoneOffset: 0 })),
});
const rangeOf = (count: number, ...others: string[]): CompleteRange => ({
  kind: 'samples',
  resource: 'heartrate',
  sourceTypes: [source.type, ...others],
  fromMs: startMs,
  toMs: startMs + count * 5000,
});

async function stored(records: readonly CanonicalRecord[]): Promise<RecordOwner> {
  const owner: RecordOwner = { teamId: randomUUID(), userId: randomUUID(), clientUserId: 'someone' };
  const version = await drawVersion(database.current);
  await withEvents(database.current, (tx, emit) =>
    writeRecords(tx, emit, { owner, version, origin: 'live', sourceId: 3, traceId: null, records }),
  );
  return owner;
}

/** The missing records, and the number of statements that finding them took. */
async function missing(owner: RecordOwner, range: CompleteRange, records: readonly PresentRecord[]) {
  const version = await drawVersion(database.current);
  let statements = 0;
  const apply = (target: Sql, self: unknown, args: unknown[]): unknown => {
    statements++;
    return Reflect.apply(target, self, args) as unknown;
  };
  const found = await database.current.transaction((tx: Tx) => {
    const counted = { ...tx, sql: new Proxy(tx.sql, { apply }) };
    return findMissing(counted, { owner, provider: source.provider, version, since: 0n, ranges: [range], records });
  });
  return { found, statements };
}

test('finds one missing time among 40,000 within the limit, which a quadratic comparison could not', async () => {
  const count = 40_000;
  const owner = await stored([heart(count)]);
  await database.current.sql`ANALYZE samples`;
  const { found } = await missing(owner, rangeOf(count), [heart(count - 1)]);
  expect(found).toEqual([{ kind: 'sample_removal', resource: 'heartrate', source, ts: [startMs + (count - 1) * 5000] }]);
}, 120_000);

test('makes one query when nothing is missing and two otherwise, whatever the response contained', async () => {
  const count = 5000;
  const owner = await stored([heart(count)]);
  expect(await missing(owner, rangeOf(count, 'phone', 'app', 'scale'), [heart(count)])).toEqual({ found: [], statements: 1 });
  for (const present of [count - 1, 1, 0]) {
    const { found, statements } = await missing(owner, rangeOf(count), [heart(present)]);
    expect(found.flatMap((removal) => (removal.kind === 'sample_removal' ? removal.ts : []))).toHaveLength(count - present);
    expect(statements).toBe(2);
  }
});

test('finds what is missing of each kind of source separately', async () => {
  const phone = { ...heart(10), source: { ...source, type: 'phone' } };
  const owner = await stored([heart(10), phone]);
  const { found } = await missing(owner, rangeOf(10, 'phone'), [heart(9), { ...phone, samples: phone.samples.slice(1) }]);
  expect(found).toEqual([
    { kind: 'sample_removal', resource: 'heartrate', source: phone.source, ts: [startMs] },
    { kind: 'sample_removal', resource: 'heartrate', source, ts: [startMs + 9 * 5000] },
  ]);
  expect((await missing(owner, rangeOf(10), [heart(10)])).found).toEqual([]);
});

test('finds the summaries missing from a response of thousands', async () => {
  const ids = Array.from({ length: 3000 }, () => randomUUID());
  const workouts = ids.map((id): CanonicalRecord => {
    return { kind: 'summary', id, resource: 'workouts', source, calendarDate: '2026-01-05', at: startMs, data: {} };
  });
  const owner = await stored(workouts);
  const range: CompleteRange = {
    kind: 'summaries',
    resource: 'workouts',
    sourceTypes: [source.type],
    startDate: '2026-01-05',
    endDate: '2026-01-05',
  };
  const present = ids.slice(1).map((id) => ({ kind: 'summary' as const, resource: 'workouts', id }));
  expect(await missing(owner, range, present)).toEqual({
    found: [{ kind: 'summary_removal', resource: 'workouts', id: ids[0] }],
    statements: 1,
  });
});
