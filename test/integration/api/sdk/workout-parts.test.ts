import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import type { Caller } from '../support/harness.ts';
import { createPhoneHarness, record, type Phone } from './phone-harness.ts';

const database = useDatabase();
let harness: Awaited<ReturnType<typeof createPhoneHarness>>;
let caller: Caller;

beforeAll(async () => {
  harness = await createPhoneHarness(database.current);
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

type Data = Record<string, unknown>;
interface Case {
  readonly input: readonly [{ data: { records: Data[]; workouts: Data[]; sleep: Data[] } }];
}
const caseOf = async () => JSON.parse(await readFile(new URL('fixtures/android-parts-of-a-workout.json', import.meta.url), 'utf8')) as Case;

const days = 'start_date=2026-11-01&end_date=2026-11-30';
const workoutsOf = async ({ userId }: Phone) =>
  (await caller.call('GET', `/v2/summary/workouts/${userId}?${days}`)).body.workouts as Data[];
const streamOf = async (phone: Phone) => {
  const [workout] = await workoutsOf(phone);
  return (await caller.call('GET', `/v2/timeseries/workouts/${String(workout?.['id'])}/stream`)).body as Data;
};
const leftOutOf = async ({ userId }: Phone) =>
  (await database.current.sql<{ left_out: Data }[]>`SELECT left_out FROM phone_batches WHERE user_id = ${userId} ORDER BY version`).map(
    (row) => row.left_out,
  );
async function send(phone: Phone, data: object): Promise<void> {
  await phone.sync('google', data);
  await harness.work();
}
const figures = {
  moving_time: 3600,
  average_hr: 140,
  max_hr: 150,
  distance: 20_000,
  calories: 450,
  average_watts: 180,
  average_speed: 6,
  sport: { slug: 'cycling' },
};

it('gives a workout of an Android phone the figures of the records beside it', async () => {
  const { data } = (await caseOf()).input[0];
  const phone = await harness.newPhone(caller);
  await send(phone, data);
  expect(await workoutsOf(phone)).toMatchObject([figures]);
  expect(await leftOutOf(phone)).toEqual([{}]);
  const second = (clock: string) => Date.parse(`2026-11-24T${clock}Z`) / 1000;
  expect(await streamOf(phone)).toMatchObject({
    time: [second('09:00:00'), second('09:10:00'), second('09:30:00')],
    heartrate: [130, null, 150],
    power: [null, 180, null],
    velocity_smooth: [null, 6, null],
    cadence: [null, 88, null],
  });
});

it.each([
  ['the workout first', false],
  ['the workout last', true],
])('gives it the same figures when each record arrives in a batch of its own, %s', async (_, isLast) => {
  const { records, workouts } = (await caseOf()).input[0].data;
  const phone = await harness.newPhone(caller);
  if (!isLast) await send(phone, { workouts });
  for (const one of isLast ? records : records.toReversed()) await send(phone, { records: [one] });
  if (isLast) await send(phone, { workouts });
  expect(await workoutsOf(phone)).toMatchObject([figures]);
});

it('counts parts that wait for their workout by type', async () => {
  const { records } = (await caseOf()).input[0].data;
  const phone = await harness.newPhone(caller);
  await send(phone, { records: records.filter(({ type }) => type === 'POWER' || type === 'SPEED') });
  expect(await leftOutOf(phone)).toEqual([{ 'waits_for_workout (POWER)': 1, 'waits_for_workout (SPEED)': 1 }]);
});

it('takes no figures from another app, or from records outside of the workout', async () => {
  const { records, workouts } = (await caseOf()).input[0].data;
  const phone = await harness.newPhone(caller);
  const other = records.map((one) => ({
    ...one,
    id: `other-${String(one['id'])}`,
    source: { ...(one['source'] as Data), appId: 'com.example.other', deviceType: 'phone' },
  }));
  const after = records.map((one) => ({
    ...one,
    id: `late-${String(one['id'])}`,
    startDate: '2026-11-24T12:00:00Z',
    endDate: '2026-11-24T12:00:00Z',
  }));
  await send(phone, { records: [...other, ...after], workouts });
  expect(await workoutsOf(phone)).toMatchObject([{ average_hr: null, distance: null, calories: null, average_watts: null }]);
});

it('keeps what a phone states of a workout itself, and computes the rest', async () => {
  const { records, workouts } = (await caseOf()).input[0].data;
  const phone = await harness.newPhone(caller);
  const values = [
    { type: 'duration', value: 3600, unit: 's' },
    { type: 'averageHeartRate', value: 141, unit: 'bpm' },
    { type: 'totalCalories', value: 500, unit: 'kcal' },
  ];
  await send(phone, { records, workouts: workouts.map((one) => ({ ...one, values })) });
  expect(await workoutsOf(phone)).toMatchObject([{ average_hr: 141, calories: 500, average_watts: 180, distance: 20_000 }]);
});

it('computes figures again when parts are deleted on the phone or change', async () => {
  const { records, workouts } = (await caseOf()).input[0].data;
  const phone = await harness.newPhone(caller);
  await send(phone, { records, workouts });
  await send(phone, { records: records.filter(({ type }) => type === 'POWER').map((one) => ({ ...one, value: 200 })) });
  expect(await workoutsOf(phone)).toMatchObject([{ average_watts: 200 }]);
  await send(phone, {
    deleted: [
      { id: 'h5', type: 'POWER' },
      { id: 'h2', type: 'HEART_RATE' },
    ],
  });
  expect(await workoutsOf(phone)).toMatchObject([{ average_watts: null, average_hr: 130, average_speed: 6 }]);
  expect((await streamOf(phone))['power']).toEqual([]);
  await send(phone, { deleted: [{ id: 'hc1' }] });
  await send(phone, { records: records.slice(0, 1) });
  expect(await workoutsOf(phone)).toEqual([]);
});

it('joins the points of one record that arrive in several batches', async () => {
  const { workouts } = (await caseOf()).input[0].data;
  const phone = await harness.newPhone(caller);
  const source = workouts[0]?.['source'] as object;
  const power = (minute: number, value: number) =>
    record('POWER', `2026-11-24T09:${minute}:00Z`, value, 'W', { id: `p-p${minute}`, parentId: 'p', source });
  await send(phone, { records: [power(40, 240), power(30, 230)], workouts });
  await send(phone, { records: [power(20, 220), power(10, 210)] });
  expect(await workoutsOf(phone)).toMatchObject([{ average_watts: 225, max_watts: 240 }]);
});

it('takes the total energy of a workout before the active one only where it covers it', async () => {
  const { records, workouts } = (await caseOf()).input[0].data;
  const source = workouts[0]?.['source'] as object;
  const total = (endDate: string, value: number) =>
    record('TOTAL_CALORIES_BURNED', '2026-11-24T09:00:00Z', value, 'kcal', { endDate, source });
  const [whole, part] = [await harness.newPhone(caller), await harness.newPhone(caller)];
  await send(whole, { records: [...records, total('2026-11-24T10:00:00Z', 520)], workouts });
  await send(part, { records: [...records, total('2026-11-24T09:10:00Z', 90)], workouts });
  expect(await workoutsOf(whole)).toMatchObject([{ calories: 520 }]);
  expect(await workoutsOf(part)).toMatchObject([{ calories: 450 }]);
});
