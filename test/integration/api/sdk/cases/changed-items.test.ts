import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../../../support/database.ts';
import type { Caller } from '../../support/harness.ts';
import { createPhoneHarness, record, stage, type Phone } from '../phone-harness.ts';
import { readCase, samplesOf, sendBatches, summariesOf, type CaseBatch } from './read-case.ts';

const database = useDatabase();
let harness: Awaited<ReturnType<typeof createPhoneHarness>>;
let caller: Caller;

beforeAll(async () => {
  harness = await createPhoneHarness(database.current);
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

type Fields = Readonly<Record<string, unknown>>;

async function apply(phone: Phone, batches: readonly CaseBatch[]) {
  await sendBatches(phone, batches);
  await harness.work();
}
const valuesOf = async ({ userId }: Phone, series: string, ...keys: readonly string[]) =>
  (await samplesOf(caller, userId, series)).map((sample) => keys.map((key) => sample[key]));
const nightsOf = ({ userId }: Phone) => summariesOf(caller, userId, 'sleep');
const eventsOf = async ({ userId }: Phone) => {
  const rows = await database.current.sql<{ event_type: string }[]>`
    SELECT event_type FROM log_events WHERE user_id = ${userId} AND event_type LIKE '%data.%' ORDER BY day, "offset"`;
  return rows.map(({ event_type: type }) => type);
};

/** Sends the batches of a case together and one after the other, to a user each; after each, repeating the last one emits nothing. */
async function eachWay(input: readonly CaseBatch[], check: (phone: Phone) => Promise<void>) {
  const [together, apart] = [await harness.newPhone(caller), await harness.newPhone(caller)];
  await apply(together, input);
  for (const batch of input) await apply(apart, [batch]);
  for (const phone of [together, apart]) {
    await check(phone);
    const before = await eventsOf(phone);
    await apply(phone, input.slice(-1));
    expect(await eventsOf(phone)).toEqual(before);
    await check(phone);
  }
}

it('stores one workout for a session that is sent again while it lasts, and none after its deletion', async () => {
  const { input, right } = await readCase<Record<'after_3' | 'after_4', readonly (readonly [string, string])[]>>('workout-that-grows');
  const workoutsOf = async ({ userId }: Phone) =>
    (await summariesOf(caller, userId, 'workouts')).map((workout) => [workout['time_start'], workout['time_end']]);
  await eachWay(input.slice(0, 3), async (phone) => expect(await workoutsOf(phone)).toEqual(right.after_3));
  await eachWay(input, async (phone) => expect(await workoutsOf(phone)).toEqual(right.after_4));
  const phone = await harness.newPhone(caller);
  await apply(phone, input.slice(0, 2));
  expect(new Set(await eventsOf(phone))).toContain('data.summaries.removed');
});

it('moves a weight that is sent again with another time and value, and its body', async () => {
  const { input, right } = await readCase<{ readonly weight: unknown; readonly body: number }>('weight-moved');
  await eachWay(input, async (phone) => {
    expect(await valuesOf(phone, 'body_weight', 'timestamp', 'value')).toEqual(right.weight);
    expect(await summariesOf(caller, phone.userId, 'body')).toHaveLength(right.body);
  });
});

it('moves a blood pressure with both halves, and finds them when they are deleted', async () => {
  const { input, right } = await readCase<Record<'after_2' | 'after_3', unknown>>('pressure-moved');
  const readings = (phone: Phone) => valuesOf(phone, 'blood_pressure', 'timestamp', 'systolic', 'diastolic');
  await eachWay(input.slice(0, 2), async (phone) => expect(await readings(phone)).toEqual(right.after_2));
  await eachWay(input, async (phone) => expect(await readings(phone)).toEqual(right.after_3));
});

it('moves a blood pressure whose halves arrive in batches of their own', async () => {
  const { input, right } = await readCase<Record<'after_2' | 'after_3', unknown>>('pressure-moved');
  const halves = input
    .slice(0, 2)
    .flatMap(({ provider, data }) => data.records.map((half) => ({ provider, data: { ...data, records: [half] } })));
  const phone = await harness.newPhone(caller);
  for (const batch of halves) await apply(phone, [batch]);
  expect(await valuesOf(phone, 'blood_pressure', 'timestamp', 'systolic', 'diastolic')).toEqual(right.after_2);
  // By the id of the record that contains both.
  await phone.sync('google', { deleted: [{ id: 'B', type: 'BLOOD_PRESSURE' }] });
  await harness.work();
  expect(await valuesOf(phone, 'blood_pressure', 'timestamp')).toEqual([]);
});

it('moves a glucose value that is sent again with a later time', async () => {
  const { input, right } = await readCase<{ readonly glucose: readonly string[] }>('glucose-moved');
  await eachWay(input, async (phone) => expect(await valuesOf(phone, 'glucose', 'timestamp')).toEqual(right.glucose.map((at) => [at])));
});

it('moves a steps record that is sent again with a later start, and counts its day again', async () => {
  const { input, right } = await readCase<{ readonly steps_of_the_day: number; readonly samples: unknown }>('steps-start-moved');
  await eachWay(input, async (phone) => {
    expect(await valuesOf(phone, 'steps', 'start', 'value')).toEqual(right.samples);
    expect(await summariesOf(caller, phone.userId, 'activity')).toMatchObject([{ steps: right.steps_of_the_day }]);
  });
});

it('builds a night anew from the stages that its session has now', async () => {
  const { input, right } = await readCase<Fields>('night-restaged');
  const { nights: _count, ...fields } = right;
  await eachWay(input, async (phone) => expect(await nightsOf(phone)).toMatchObject([fields]));
  const phone = await harness.newPhone(caller);
  await apply(phone, input);
  await phone.sync('google', { deleted: [{ id: 'N1', type: 'SLEEP' }] });
  await harness.work();
  expect(await nightsOf(phone)).toEqual([]);
});

it('builds a night anew when its new stages arrive in several batches', async () => {
  const { input, right } = await readCase<Fields>('night-restaged');
  const { nights: _count, ...fields } = right;
  const parts = input.map(({ provider, data }) => data.sleep.map((own) => ({ provider, data: { ...data, sleep: [own] } })));
  const phone = await harness.newPhone(caller);
  for (const batch of parts.flat()) await apply(phone, [batch]);
  expect(await nightsOf(phone)).toMatchObject([fields]);
});

it('moves the start of a session without stages', async () => {
  const { input, right } = await readCase<Fields>('session-start-moved');
  const { nights: _count, ...fields } = right;
  await eachWay(input, async (phone) => expect(await nightsOf(phone)).toMatchObject([fields]));
});

it('shortens a night whose session has lost its last stages', async () => {
  const part = (index: number, from: string, to: string) =>
    stage('light', `2026-11-20T0${from}:00Z`, `2026-11-20T0${to}:00Z`, { id: `S-s${index}`, parentId: 'S' });
  const stages = [part(0, '1:00', '2:00'), part(1, '2:00', '3:00'), part(2, '3:00', '4:00')];
  const phone = await harness.newPhone(caller);
  await phone.sync('google', { sleep: stages });
  await phone.sync('google', { sleep: stages.slice(0, 2) });
  await harness.work();
  expect(await nightsOf(phone)).toMatchObject([{ light: 7200, bedtime_stop: '2026-11-20T03:00:00+00:00' }]);
});

it('deletes a night by the ids of its items also where an export, which has no ids, stated it too', async () => {
  const own = [
    stage('light', '2026-11-20T01:00:00Z', '2026-11-20T02:00:00Z'),
    stage('deep', '2026-11-20T02:00:00Z', '2026-11-20T03:00:00Z'),
  ];
  const exported = own.map((one) => ({ ...one, id: null }));
  for (const order of [
    [own, exported],
    [exported, own],
  ]) {
    const phone = await harness.newPhone(caller);
    for (const sleep of order) await phone.sync('apple', { sleep });
    await harness.work();
    expect(await nightsOf(phone)).toMatchObject([{ light: 3600, deep: 3600 }]);
    await phone.sync('apple', { deleted: own.map(({ id }) => ({ id })) });
    await harness.work();
    expect(await nightsOf(phone)).toEqual([]);
  }
});

it('removes the heart rates that a record no longer has', async () => {
  const beat = (index: number, clock: string, bpm: number) =>
    record('HEART_RATE', `2026-11-20T${clock}:00Z`, bpm, 'bpm', { id: `R-s${index}`, parentId: 'R', zoneOffset: 'Z' });
  const other = record('HEART_RATE', '2026-11-20T08:09:00Z', 99, 'bpm', { zoneOffset: 'Z' });
  const phone = await harness.newPhone(caller);
  await phone.sync('google', { records: [beat(0, '08:00', 60), beat(1, '08:01', 61), beat(2, '08:02', 62), other] });
  await phone.sync('google', { records: [beat(0, '08:01', 61), beat(1, '08:02', 63)] });
  await harness.work();
  expect(await valuesOf(phone, 'heartrate', 'timestamp', 'value')).toEqual([
    ['2026-11-20T08:01:00+00:00', 61],
    ['2026-11-20T08:02:00+00:00', 63],
    ['2026-11-20T08:09:00+00:00', 99],
  ]);
});

it('removes the last heart rates of a record that grew and then became shorter', async () => {
  const beats = Array.from({ length: 5 }, (_unused, index) =>
    record('HEART_RATE', `2026-11-20T08:0${index}:00Z`, 60 + index, 'bpm', { id: `R-s${index}`, parentId: 'R', zoneOffset: 'Z' }),
  );
  const phone = await harness.newPhone(caller);
  for (const count of [3, 5, 3]) await phone.sync('google', { records: beats.slice(0, count) });
  await harness.work();
  expect(await valuesOf(phone, 'heartrate', 'value')).toEqual([[60], [61], [62]]);
});

it('lists an id of a frequent sample once, however often the phone sends it', async () => {
  const steps = record('STEP_COUNT', '2026-11-20T08:00:00Z', 5, 'count', { zoneOffset: 'Z' });
  const phone = await harness.newPhone(caller);
  for (let sent = 0; sent < 3; sent += 1) await phone.sync('google', { records: [steps] });
  await harness.work();
  const [row] = await database.current.sql<{ bytes: number }[]>`
    SELECT sum(length(ids))::int AS bytes FROM phone_sample_ids WHERE user_id = ${phone.userId}`;
  expect(row?.bytes).toBe(14);
});

it('keeps what another item has at the former place of a moved one', async () => {
  const phone = await harness.newPhone(caller);
  const weight = (id: string, clock: string, kilograms: number) =>
    record('WEIGHT', `2026-11-20T${clock}:00Z`, kilograms, 'kg', { id, zoneOffset: 'Z' });
  const steps = (id: string, clock: string, count: number) =>
    record('STEP_COUNT', `2026-11-20T${clock}:00Z`, count, 'count', { id, zoneOffset: 'Z' });
  await phone.sync('google', { records: [weight('a', '06:00', 80), steps('c', '08:00', 5)] });
  await phone.sync('google', { records: [weight('b', '06:00', 80), steps('d', '08:00', 5)] });
  await phone.sync('google', { records: [weight('a', '07:00', 80), steps('c', '09:00', 5)] });
  await harness.work();
  expect(await valuesOf(phone, 'body_weight', 'timestamp')).toEqual([['2026-11-20T06:00:00+00:00'], ['2026-11-20T07:00:00+00:00']]);
  // Both in one batch change places.
  await phone.sync('google', { records: [weight('b', '07:00', 81), weight('a', '06:00', 79)] });
  await harness.work();
  expect(await valuesOf(phone, 'body_weight', 'timestamp', 'value')).toEqual([
    ['2026-11-20T06:00:00+00:00', 79],
    ['2026-11-20T07:00:00+00:00', 81],
  ]);
  expect(await valuesOf(phone, 'steps', 'start')).toEqual([['2026-11-20T08:00:00+00:00'], ['2026-11-20T09:00:00+00:00']]);
});

it('takes the last form of an item that a batch holds twice', async () => {
  const run = (end: string) =>
    record('RUNNING', '2026-11-20T10:00:00Z', null, null, { id: 'W', endDate: `2026-11-20T${end}:00Z`, zoneOffset: 'Z' });
  const weight = (clock: string) => record('WEIGHT', `2026-11-20T${clock}:00Z`, 80, 'kg', { id: 'K', zoneOffset: 'Z' });
  const phone = await harness.newPhone(caller);
  await phone.sync('google', { records: [weight('06:00'), weight('07:00')], workouts: [run('10:15'), run('10:30')] });
  await harness.work();
  expect(await summariesOf(caller, phone.userId, 'workouts')).toMatchObject([{ time_end: '2026-11-20T10:30:00+00:00' }]);
  expect(await valuesOf(phone, 'body_weight', 'timestamp')).toEqual([['2026-11-20T07:00:00+00:00']]);
});
