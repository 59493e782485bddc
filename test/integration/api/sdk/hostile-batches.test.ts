import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import type { Caller } from '../support/harness.ts';
import { createPhoneHarness, record, stage, watch } from './phone-harness.ts';

const database = useDatabase();
let harness: Awaited<ReturnType<typeof createPhoneHarness>>;
let caller: Caller;

beforeAll(async () => {
  harness = await createPhoneHarness(database.current);
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

const at = '2026-01-04T10:00:00Z';
const good = () => record('HKQuantityTypeIdentifierBodyMass', at, 71, 'kg');

async function work(data: object, provider = 'apple') {
  const phone = await harness.newPhone(caller);
  expect((await phone.sync(provider, data)).status).toBe(202);
  await harness.work();
  const [batch] = await database.current.sql<{ state: string; left_out: Record<string, number>; error_code: string | null }[]>`
    SELECT state, left_out, error_code FROM phone_batches WHERE user_id = ${phone.userId}`;
  const days = 'start_date=2026-01-01&end_date=2026-01-31';
  const { groups } = (await caller.call('GET', `/v2/timeseries/${phone.userId}/body_weight/grouped?${days}`)).body;
  const sleep = (await caller.call('GET', `/v2/summary/sleep/${phone.userId}?${days}`)).body.sleep as unknown[];
  const weights = Object.values(groups as Record<string, { data: unknown[] }[]>).flatMap((own) => own.flatMap((group) => group.data));
  return { batch, weights, sleep };
}

it('stores the valid items of a batch whose others use names of object properties', async () => {
  const names = ['constructor', '__proto__', 'toString', 'HKQuantityTypeIdentifierconstructor'];
  const { batch, weights } = await work({
    records: [
      ...names.map((name) => record(name, at, 1, 'count')),
      ...names.map((name) => ({ ...good(), startDate: '2026-01-05T10:00:00Z', endDate: null, unit: name })),
      ...names.map((name) => record('HKQuantityTypeIdentifierHeight', at, 1.8, name)),
      { ...good(), source: { ...watch, deviceType: 'constructor', deviceModel: null }, metadata: { specimenSource: 'constructor' } },
    ],
    workouts: [
      {
        ...record('constructor', at, null, null, { endDate: '2026-01-04T11:00:00Z' }),
        values: [{ type: 'constructor', value: 1, unit: 'toString' }],
        samples: [{ timestamp: at, type: 'constructor', value: 1 }],
      },
    ],
  });
  // Four weights, and the newest of the heights: of several, only that one is read.
  expect(batch).toMatchObject({ state: 'done', error_code: null });
  const counted = Object.entries(batch?.left_out ?? {}).map(([reason, count]) => [reason.replace(/ .*/, ''), count] as const);
  const sumOf = (reason: string) => counted.reduce((sum, [own, count]) => sum + (own === reason ? count : 0), 0);
  expect(['unknown_unit', 'no_series', 'no_field'].map(sumOf)).toEqual([5, 4, 1]);
  expect(weights).toMatchObject([{ value: 71 }]);
});

it('stores the valid items of a batch whose others have impossible times, values, zones and texts', async () => {
  const long = 'x'.repeat(5000);
  const source = { ...watch, appId: `\u0000\ud800${long}`, deviceName: long };
  const segment = (more: object) => stage('light', '2026-01-05T00:00:00Z', '2026-01-05T01:00:00Z', more);
  const { batch, weights, sleep } = await work({
    records: [
      record('HKQuantityTypeIdentifierStepCount', '2105-01-01T00:00:00Z', 10, 'count'),
      record('HKQuantityTypeIdentifierStepCount', at, 10, 'count', { endDate: '9999-12-31T23:59:59Z' }),
      record('HKQuantityTypeIdentifierStepCount', '0000-01-01T00:00:00Z', 10, 'count'),
      record('HKQuantityTypeIdentifierStepCount', at, -10, 'count'),
      record('HKQuantityTypeIdentifierDietaryWater', at, 1e308, 'L'),
      { ...good(), id: `\u0000${long}`, source, zoneOffset: '+99:99', title: long },
    ],
    sleep: [
      segment({ source, id: long, values: [{ type: 'sleepScore', value: 70_000 }] }),
      stage('deep', '2026-01-01T00:00:00Z', '2026-01-20T00:00:00Z'),
      stage('deep', '2026-01-05T00:00:00Z', '9999-01-05T00:00:00Z'),
    ],
    deleted: [{ id: long }, { id: '\u0000' }],
  });
  expect(batch).toEqual({ state: 'done', error_code: null, left_out: { bad_time: 5, bad_number: 2 } });
  expect(weights).toMatchObject([{ value: 71, timezone_offset: null }]);
  expect(sleep).toMatchObject([{ light: 3600, score: null, timezone_offset: 3600 }]);
});

it('rejects an envelope that is nested too deep or malformed', async () => {
  const phone = await harness.newPhone(caller);
  const deep = { records: JSON.parse(`${'['.repeat(400)}${']'.repeat(400)}`) as unknown };
  expect((await phone.sync('apple', deep)).status).toBe(400);
  expect((await phone.sync('constructor', { records: [good()] })).status).toBe(400);
  expect((await phone.sync('apple', { records: { length: 5 } })).status).toBe(202);
  await harness.work();
  const rows = await database.current.sql<{ state: string; error_code: string }[]>`
    SELECT state, error_code FROM phone_batches WHERE user_id = ${phone.userId}`;
  expect(rows).toEqual([{ state: 'failed', error_code: 'envelope_unreadable' }]);
});

it.each([
  ['empty objects', `[${'{},'.repeat(200_000)}{}]`],
  ['empty lists', `[${'[],'.repeat(200_000)}[]]`],
  ['many values in short lists', `[${'[1,2,3,4],'.repeat(100_000)}[]]`],
  ['one object with many keys', `[{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":1`).join(',')}}]`],
])('refuses a batch of %s before parsing it', async (_, records) => {
  const phone = await harness.newPhone(caller);
  const headers = { authorization: `Bearer ${phone.token}` };
  const body = `{"provider":"apple","data":{"records":${records}}}`;
  const reply = await harness.bare('POST', `/api/v1/sdk/users/${phone.userId}/sync`, body, headers);
  expect([reply.status, reply.body.detail]).toEqual([400, expect.stringContaining('too many values')]);
});
