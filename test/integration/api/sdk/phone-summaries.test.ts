import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import type { Caller } from '../support/harness.ts';
import { createPhoneHarness, record, watch, type Phone } from './phone-harness.ts';

const database = useDatabase();
let harness: Awaited<ReturnType<typeof createPhoneHarness>>;
let caller: Caller;

beforeAll(async () => {
  harness = await createPhoneHarness(database.current);
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

const HK = 'HKQuantityTypeIdentifier';
const zone = { metadata: { HKTimeZone: 'Europe/Berlin' } };
const iPhone = { ...watch, deviceName: 'Phone', deviceModel: 'iPhone15,2', deviceType: 'phone' };
const day = (clock: string, date = '2026-01-04') => `${date}T${clock}:00Z`;
const span = (type: string, from: string, to: string, value: number, unit: string, more: object = {}) =>
  record(`${HK}${type}`, from, value, unit, { endDate: to, ...zone, ...more });

async function send(phone: Phone, ...batches: readonly object[]) {
  for (const batch of batches) await phone.sync('apple', batch);
  expect(await harness.work()).toBe(batches.length);
}

interface Built extends Record<string, unknown> {
  readonly source: { readonly type: string };
  readonly heart_rate: Record<string, unknown>;
}

async function summariesOf(userId: string, name: string, query = '') {
  const reply = await caller.call('GET', `/v2/summary/${name}/${userId}?start_date=2025-10-01&end_date=2026-03-31${query}`);
  return reply.body[name === 'meal' ? 'meals' : name] as Built[];
}

async function eventsOf(userId: string, name: string) {
  const rows = await database.current.sql<{ event_type: string }[]>`
    SELECT event_type FROM log_events WHERE user_id = ${userId} AND event_type LIKE ${`%.data.${name}.%`} ORDER BY day, "offset"`;
  return rows.map(({ event_type: type }) => type.split('.').at(-1));
}

it('adds up the day of each source from batches that arrive late and in any order', async () => {
  const phone = await harness.newPhone(caller);
  await send(
    phone,
    { records: [span('ActiveEnergyBurned', day('10:00'), day('10:10'), 50.5, 'Cal')] },
    {
      records: [
        span('StepCount', day('15:00'), day('15:10'), 200, 'count'),
        span('StepCount', day('15:00'), day('15:10'), 180, 'count', { source: iPhone }),
        span('BasalEnergyBurned', day('10:00'), day('11:00'), 70, 'Cal'),
      ],
    },
    {
      records: [
        span('StepCount', day('08:00'), day('08:10'), 100, 'count'),
        span('DistanceWalkingRunning', day('08:00'), day('08:10'), 75, 'm'),
        span('FlightsClimbed', day('08:00'), day('08:10'), 2, 'count'),
        ...[60, 64].map((bpm, minute) => record(`${HK}HeartRate`, day(`08:0${minute}`), bpm, 'bpm', zone)),
        ...[120, 124].map((bpm, minute) => record(`${HK}HeartRate`, day(`15:0${minute}`), bpm, 'bpm', zone)),
      ],
    },
  );
  const days = await summariesOf(phone.userId, 'activity');
  expect(days).toHaveLength(2);
  expect(days.find(({ source }) => source.type === 'watch')).toMatchObject({
    calendar_date: '2026-01-04',
    steps: 300,
    distance: 75,
    floors_climbed: 2,
    calories_active: 50.5,
    calories_total: 120.5,
    timezone_offset: 3600,
    heart_rate: { avg_bpm: 92, min_bpm: 60, max_bpm: 124, resting_bpm: null },
  });
  expect(days.find(({ source }) => source.type === 'phone')).toMatchObject({ steps: 180, calories_total: null, heart_rate: null });
  // Batches that wait together build each day once.
  expect(await eventsOf(phone.userId, 'activity')).toEqual(['created', 'created']);
  const merged = await summariesOf(phone.userId, 'activity', '&source=merged');
  expect(merged).toMatchObject([{ steps: 300 }]);
});

it('emits nothing and changes nothing for items that are sent again', async () => {
  const phone = await harness.newPhone(caller);
  const records = [
    span('StepCount', day('08:00'), day('08:10'), 100, 'count'),
    record(`${HK}RestingHeartRate`, day('08:00'), 55, 'bpm', zone),
    record(`${HK}BodyMass`, day('07:00'), 71, 'kg', zone),
    record(`${HK}DietaryProtein`, day('12:00'), 20, 'g', zone),
  ];
  await send(phone, { records });
  const before = await Promise.all(['activity', 'body', 'meal'].map((name) => summariesOf(phone.userId, name)));
  expect(before.map((own) => own.length)).toEqual([1, 1, 1]);
  await send(phone, { records: records.map((item) => ({ ...item, id: crypto.randomUUID() })) }, { records });
  expect(await Promise.all(['activity', 'body', 'meal'].map((name) => summariesOf(phone.userId, name)))).toEqual(before);
  for (const name of ['activity', 'body', 'meal']) expect(await eventsOf(phone.userId, name)).toEqual(['created']);
});

it('overlapping time of several apps of one phone is counted once', async () => {
  const phone = await harness.newPhone(caller);
  const of = (appId: string) => ({ source: { ...iPhone, appId } });
  await send(phone, {
    records: [
      span('StepCount', day('08:00'), day('09:00'), 600, 'count', of('one')),
      span('StepCount', day('08:15'), day('08:30'), 160, 'count', of('two')),
      span('StepCount', day('08:45'), day('09:15'), 400, 'count', of('two')),
    ],
  });
  expect(await summariesOf(phone.userId, 'activity')).toMatchObject([{ steps: 800 }]);
});

it('assigns samples to local days, on days of 23 and 25 hours too', async () => {
  const phone = await harness.newPhone(caller);
  const steps = (from: string) => span('StepCount', from, from, 1, 'count');
  await send(phone, {
    records: [
      // The clocks of Berlin go back on 26 October 2025, and forward on 29 March 2026.
      ...['2025-10-25T21:59:00Z', '2025-10-25T22:00:00Z', '2025-10-26T22:59:00Z', '2025-10-26T23:00:00Z'].map(steps),
      ...['2026-03-28T22:59:00Z', '2026-03-28T23:00:00Z', '2026-03-29T21:59:00Z', '2026-03-29T22:00:00Z'].map(steps),
    ],
  });
  expect((await summariesOf(phone.userId, 'activity')).map((own) => [own['calendar_date'], own['steps'], own['timezone_offset']])).toEqual([
    ['2025-10-25', 1, 7200],
    ['2025-10-26', 2, 3600],
    ['2025-10-27', 1, 3600],
    ['2026-03-28', 1, 3600],
    ['2026-03-29', 2, 3600],
    ['2026-03-30', 1, 7200],
  ]);
});

it('moves a sample to another day when it is sent again with another offset', async () => {
  const phone = await harness.newPhone(caller);
  const late = (zoneOffset: string) => ({
    records: [record('STEP_COUNT', '2026-01-04T23:30:00Z', 10, 'count', { zoneOffset }), record('STEP_COUNT', day('12:00'), 5, 'count')],
  });
  await send(phone, late('Z'), late('+01:00'));
  expect((await summariesOf(phone.userId, 'activity')).map((own) => [own['calendar_date'], own['steps']])).toEqual([
    ['2026-01-04', 5],
    ['2026-01-05', 10],
  ]);
});

it('keeps the latest resting heart rate of a day, and none once it is deleted', async () => {
  const phone = await harness.newPhone(caller);
  const [early, late] = [
    record(`${HK}RestingHeartRate`, day('06:00'), 58, 'bpm', zone),
    record(`${HK}RestingHeartRate`, day('20:00'), 54, 'bpm', zone),
  ];
  const restingOf = async () => (await summariesOf(phone.userId, 'activity')).map(({ heart_rate: rates }) => rates['resting_bpm']);
  await send(phone, { records: [late] }, { records: [early] });
  expect(await restingOf()).toEqual([54]);
  await send(phone, { deleted: [{ id: late.id }] });
  expect(await restingOf()).toEqual([58]);
  await send(phone, { deleted: [{ id: early.id }] });
  expect(await restingOf()).toEqual([]);
});

it('derives no daily activity from heart rates alone', async () => {
  const phone = await harness.newPhone(caller);
  await send(phone, { records: [record(`${HK}HeartRate`, day('08:00'), 130, 'bpm', { source: { ...watch, deviceType: 'chest_strap' } })] });
  expect(await summariesOf(phone.userId, 'activity')).toEqual([]);
});

it('builds a weighing from values that arrive one by one, and follows deletions', async () => {
  const phone = await harness.newPhone(caller);
  const scale = { ...watch, deviceType: 'scale', deviceModel: null };
  const at = (clock: string, type: string, value: number, unit: string, more: object = {}) =>
    record(`${HK}${type}`, day(clock), value, unit, { source: scale, ...zone, ...more });
  const fat = at('23:30', 'BodyFatPercentage', 0.215, '%');
  const waist = at('12:00', 'WaistCircumference', 0.82, 'm');
  await send(
    phone,
    { records: [fat] },
    { records: [at('23:30', 'BodyMass', 71.2, 'kg'), at('23:30', 'BodyMass', 71, 'kg', { metadata: { HKWasUserEntered: '1' } })] },
    { records: [at('23:30', 'BodyMassIndex', 22.4, 'count'), at('23:30', 'LeanBodyMass', 55.9, 'kg'), waist] },
  );
  const bodies = await summariesOf(phone.userId, 'body');
  const bySource = (type: string) => bodies.filter(({ source }) => source.type === type);
  expect(bySource('app')).toMatchObject([{ calendar_date: '2026-01-05', weight: 71, fat: null }]);
  expect(bySource('scale')).toMatchObject([
    { calendar_date: '2026-01-04', waist_circumference_centimeter: 82, weight: null },
    { calendar_date: '2026-01-05', weight: 71.2, fat: 21.5, body_mass_index: 22.4, lean_body_mass_kilogram: 55.9 },
  ]);
  await send(phone, { deleted: [{ id: fat.id }, { id: waist.id }] });
  const left = await summariesOf(phone.userId, 'body');
  expect(new Map(left.map(({ source, weight, fat: percent }) => [source.type, [weight, percent]]))).toEqual(
    new Map([
      ['app', [71, null]],
      ['scale', [71.2, null]],
    ]),
  );
});

it('makes a meal of the nutrients that were logged at one time', async () => {
  const phone = await harness.newPhone(caller);
  const source = { ...watch, appId: 'com.example.diary', deviceType: null, deviceModel: null };
  const food = (clock: string, type: string, value: number, unit: string) =>
    record(`${HK}Dietary${type}`, day(clock), value, unit, { source, ...zone });
  const fat = food('12:00', 'FatTotal', 9, 'g');
  await send(
    phone,
    {
      records: [
        food('12:00', 'EnergyConsumed', 300, 'Cal'),
        food('12:00', 'EnergyConsumed', 250, 'Cal'),
        food('19:00', 'Protein', 30, 'g'),
      ],
    },
    { records: [food('12:00', 'Carbohydrates', 50, 'g'), food('12:00', 'Protein', 12, 'g'), fat, food('12:00', 'Sodium', 400, 'mg')] },
  );
  expect(await summariesOf(phone.userId, 'meal')).toMatchObject([
    {
      calendar_date: '2026-01-04',
      timestamp: '2026-01-04T12:00:00+00:00',
      name: 'Meal',
      energy: { unit: 'kcal', value: 550 },
      macros: { carbs: 50, protein: 12, fats: { total: 9 } },
      micros: { minerals: { sodium: 400 } },
      source_app_id: 'com.example.diary',
    },
    { energy: null, macros: { protein: 30, fats: null } },
  ]);
  await send(phone, { deleted: [{ id: fat.id }] });
  expect((await summariesOf(phone.userId, 'meal'))[0]).toMatchObject({ macros: { carbs: 50, fats: null } });
});

it('replaces what an item was before it was changed under its id', async () => {
  const phone = await harness.newPhone(caller);
  const food = record(`${HK}DietaryProtein`, day('12:00'), 20, 'g', zone);
  const resting = record('RESTING_HEART_RATE', day('06:00'), 58, 'bpm', zone);
  await send(phone, { records: [food, resting] });
  const changed = { ...food, value: 25 };
  await send(phone, { records: [changed, { ...resting, startDate: day('06:00', '2026-01-05'), endDate: day('06:00', '2026-01-05') }] });
  expect(await summariesOf(phone.userId, 'meal')).toMatchObject([{ macros: { protein: 25 } }]);
  expect((await summariesOf(phone.userId, 'activity')).map((own) => own['calendar_date'])).toEqual(['2026-01-05']);
  await send(phone, { records: [{ ...changed, startDate: day('13:00'), endDate: day('13:00') }] });
  expect((await summariesOf(phone.userId, 'meal')).map((own) => own['timestamp'])).toEqual(['2026-01-04T13:00:00+00:00']);
  await send(phone, { deleted: [{ id: food.id }] });
  expect(await summariesOf(phone.userId, 'meal')).toEqual([]);
});

it('builds nothing of a nonsensical value, which fails nothing else', async () => {
  const phone = await harness.newPhone(caller);
  await send(phone, {
    records: [
      span('StepCount', day('08:00'), day('08:10'), 1e308, 'count'),
      span('StepCount', day('09:00'), day('09:10'), 1.7e308, 'count'),
      span('StepCount', day('10:00'), day('10:10'), 7, 'count'),
      record(`${HK}RestingHeartRate`, day('08:00'), 0, 'bpm', zone),
      record(`${HK}DietaryProtein`, day('08:00'), 1, 'cup', zone),
    ],
  });
  expect(await summariesOf(phone.userId, 'activity')).toMatchObject([{ steps: 7, heart_rate: null }]);
  expect(await summariesOf(phone.userId, 'meal')).toEqual([]);
});
