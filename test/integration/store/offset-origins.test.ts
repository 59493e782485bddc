import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CanonicalRecord, OffsetOrigin, Sample } from '@pulsewire/contract';
import { withEvents } from '@pulsewire/eventlog';
import { readOffsetOrigins, writeRecords, type RecordOwner } from '@pulsewire/store';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const source = { provider: 'fitbit', type: 'watch' };
const startMs = Date.UTC(2026, 0, 5);
const newOwner = (): RecordOwner => ({ teamId: randomUUID(), userId: randomUUID(), clientUserId: 'someone' });

const write = (owner: RecordOwner, version: number, offsetsFrom: OffsetOrigin | undefined, ...records: CanonicalRecord[]) =>
  withEvents(database.current, (tx, emit) =>
    writeRecords(tx, emit, {
      owner,
      version: BigInt(version),
      origin: 'live',
      sourceId: 3,
      traceId: null,
      records,
      ...(offsetsFrom && { offsetsFrom }),
    }),
  );
const heartrates = (from: number, count: number, more: Partial<Sample> = {}): CanonicalRecord => ({
  kind: 'samples',
  resource: 'heartrate',
  source,
  samples: Array.from({ length: count }, (_, index) => ({ ts: startMs + (from + index) * 1000, value: 60, timezoneOffset: 3600, ...more })),
});
const sleep = (data: Readonly<Record<string, unknown>>, offsetFrom?: OffsetOrigin): CanonicalRecord => ({
  kind: 'summary',
  id: randomUUID(),
  resource: 'sleep',
  source,
  calendarDate: '2026-01-05',
  at: startMs,
  data,
  ...(offsetFrom && { offsetFrom }),
});
const originsOf = async (owner: RecordOwner, resource: string) => {
  const found = await readOffsetOrigins(database.current, { ...owner, resource, fromMs: startMs, toMs: startMs + 86_400_000 });
  return Object.fromEntries(found.map(({ origin, count }) => [origin, count]));
};

test('stores the origin of the offset of each sample, in empty ranges and others', async () => {
  const owner = newOwner();
  const mixed = [heartrates(0, 3), heartrates(3, 2, { offsetFrom: 'value' }), heartrates(5, 4, { timezoneOffset: null })];
  await write(owner, 1, 'provider', ...mixed);
  expect(await originsOf(owner, 'heartrate')).toEqual({ provider: 3, value: 2, assumed: 4 });
  // Overlaps the stored samples: two are new, one has another offset.
  await write(owner, 2, 'user', heartrates(2, 1, { timezoneOffset: 7200 }), heartrates(9, 2));
  expect(await originsOf(owner, 'heartrate')).toEqual({ provider: 2, user: 3, value: 2, assumed: 4 });
});

test('does not treat a value as changed when its offset is the same from another origin', async () => {
  const owner = newOwner();
  await write(owner, 1, 'user', heartrates(0, 3));
  expect((await write(owner, 2, 'provider', heartrates(0, 3))).events).toBe(0);
  expect(await originsOf(owner, 'heartrate')).toEqual({ user: 3 });
});

test('stores the origin of the offset of each summary; null counts as assumed, a missing one not at all', async () => {
  const owner = newOwner();
  const offset = { timezone_offset: 3600 };
  await write(owner, 1, 'provider', sleep(offset), sleep(offset, 'value'), sleep({ timezone_offset: null }), sleep({}));
  expect(await originsOf(owner, 'sleep')).toEqual({ provider: 1, value: 1, assumed: 1 });
});

test('reports older records without an origin as unrecorded, and nothing to other teams', async () => {
  const owner = newOwner();
  await write(owner, 1, undefined, heartrates(0, 2));
  expect(await originsOf(owner, 'heartrate')).toEqual({ unrecorded: 2 });
  expect(await originsOf({ ...owner, teamId: randomUUID() }, 'heartrate')).toEqual({});
});
