import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { passTime } from '../../../support/pass-time.ts';
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

const days = 'start_date=2026-01-01&end_date=2026-01-31';
const HK = 'HKQuantityTypeIdentifier';

async function samplesOf(userId: string, series: string, owner = caller) {
  const { groups } = (await owner.call('GET', `/v2/timeseries/${userId}/${series}/grouped?${days}`)).body;
  return Object.values(groups as Record<string, { source: { type: string }; data: Record<string, unknown>[] }[]>).flatMap((own) =>
    own.flatMap(({ source, data }) => data.map((sample) => ({ ...sample, source: source.type }))),
  );
}
const summariesOf = async (userId: string, name: string) =>
  (await caller.call('GET', `/v2/summary/${name}/${userId}?${days}`)).body[name] as Record<string, unknown>[];
const rowsOf = (userId: string) => database.current.sql<{ state: string; left_out: Record<string, number>; error_code: string | null }[]>`
  SELECT state, left_out, error_code FROM phone_batches WHERE user_id = ${userId} ORDER BY version`;

it('responds to a batch with 202, connects the health store, and stores readings in our units', async () => {
  const phone = await harness.newPhone(caller);
  const reply = await phone.sync('apple', {
    records: [
      record(`${HK}StepCount`, '2026-01-04T10:00:00Z', 312, 'count', {
        endDate: '2026-01-04T10:10:00Z',
        metadata: { HKTimeZone: 'Europe/Berlin' },
      }),
      record(`${HK}BodyFatPercentage`, '2026-01-04T07:00:00Z', 0.215, '%'),
      record(`${HK}BloodGlucose`, '2026-01-04T07:01:00Z', 99.1001, 'mg/dL'),
      record(`${HK}DietaryWater`, '2026-01-04T07:02:00Z', 0.25, 'L', { metadata: { HKWasUserEntered: '1' } }),
      record(`${HK}BloodPressureSystolic`, '2026-01-04T07:03:00Z', 121, 'mmHg'),
      record(`${HK}BloodPressureDiastolic`, '2026-01-04T07:03:00Z', 78, 'mmHg'),
      record(`${HK}HeartRateVariabilitySDNN`, '2026-01-04T07:04:00Z', 50, 'ms'),
      record(`${HK}HeartRate`, '2026-01-04', 60, 'bpm'),
      record(`${HK}BodyMass`, '2026-01-04T07:05:00Z', null, null),
      record(`${HK}NotYetInvented`, '2026-01-04T07:06:00Z', 1, 'count'),
      null,
    ],
    sleep: [],
    workouts: [],
  });
  expect(reply.status).toBe(202);
  expect(reply.body).toMatchObject({ status_code: 202, user_id: phone.userId });
  expect(await harness.work()).toBe(1);
  const { providers } = (await caller.call('GET', `/v2/user/providers/${phone.userId}`)).body;
  expect(providers).toMatchObject([{ slug: 'apple_health_kit', status: 'connected' }]);
  expect(await samplesOf(phone.userId, 'steps')).toMatchObject([
    { start: '2026-01-04T10:00:00+00:00', end: '2026-01-04T10:10:00+00:00', value: 312, timezone_offset: 3600, source: 'watch' },
  ]);
  expect(await samplesOf(phone.userId, 'body_fat')).toMatchObject([{ value: 21.5 }]);
  expect(await samplesOf(phone.userId, 'glucose')).toMatchObject([{ value: 5.5, unit: 'mmol/L' }]);
  expect(await samplesOf(phone.userId, 'water')).toMatchObject([{ value: 250, source: 'app' }]);
  expect(await samplesOf(phone.userId, 'blood_pressure')).toMatchObject([{ systolic: 121, diastolic: 78 }]);
  expect(await samplesOf(phone.userId, 'hrv')).toEqual([]);
  expect(await rowsOf(phone.userId)).toEqual([
    {
      state: 'done',
      error_code: null,
      left_out: { other_measure: 1, bad_time: 1, bad_number: 1, unknown_shape: 1, 'no_series (NotYetInvented)': 1 },
    },
  ]);
});

it('stores nothing new when a phone sends the same data again under other ids', async () => {
  const phone = await harness.newPhone(caller);
  const steps = () => record('STEP_COUNT', '2026-01-04T10:00:00Z', 100, 'count', { endDate: '2026-01-04T11:00:00Z', zoneOffset: '+02:00' });
  const workout = () => ({
    ...record('RUNNING', '2026-01-04T12:00:00Z', null, null, { endDate: '2026-01-04T12:30:00Z', zoneOffset: 'Z' }),
    title: null,
    values: [
      { type: 'duration', value: 1_800_000, unit: 'ms' },
      { type: 'MEAN_HEART_RATE', value: 141.6, unit: '' },
    ],
    route: [{ timestamp: '2026-01-04T12:00:01Z', latitude: 48.1, longitude: 11.5, altitudeM: null }],
    samples: [{ timestamp: '2026-01-04T12:00:01Z', type: 'heartRate', value: 120, unit: 'bpm' }],
  });
  for (let sent = 0; sent < 2; sent += 1) await phone.sync('samsung', { records: [steps()], workouts: [workout()] });
  expect(await harness.work()).toBe(2);
  const events = await database.current.sql<{ event_type: string }[]>`
    SELECT event_type FROM log_events WHERE user_id = ${phone.userId} AND event_type LIKE '%.data.%' ORDER BY event_type`;
  expect(events.map(({ event_type: type }) => type)).toEqual([
    'daily.data.activity.created',
    'daily.data.steps.created',
    'daily.data.workout_stream.created',
    'daily.data.workouts.created',
  ]);
  expect(await samplesOf(phone.userId, 'steps')).toMatchObject([{ value: 100, timezone_offset: 7200 }]);
  const [workouts] = await summariesOf(phone.userId, 'workouts');
  expect(workouts).toMatchObject({ moving_time: 1800, average_hr: 142, sport: { slug: 'running' }, timezone_offset: 0 });
  expect(workouts).toMatchObject({ hr_zones: [0, 0, 1, 0, 0, 0] });
  const stream = await caller.call('GET', `/v2/timeseries/workouts/${String(workouts?.['id'])}/stream`);
  expect(stream.body).toMatchObject({ heartrate: [120], lat: [48.1] });
});

it('builds one night from stages that arrive in several batches and in any order', async () => {
  const phone = await harness.newPhone(caller);
  await phone.sync('google', { sleep: [stage('deep', '2026-01-05T00:00:00Z', '2026-01-05T02:00:00Z')] });
  await phone.sync('google', {
    sleep: [stage('rem', '2026-01-05T02:00:00Z', '2026-01-05T03:00:00Z'), stage('light', '2026-01-05T12:00:00Z', '2026-01-05T12:30:00Z')],
  });
  await phone.sync('google', {
    sleep: [
      stage('in_bed', '2026-01-04T22:30:00Z', '2026-01-05T03:30:00Z'),
      stage('light', '2026-01-04T23:00:00Z', '2026-01-05T00:00:00Z'),
      stage('nonsense', '2026-01-04T23:00:00Z', '2026-01-05T00:00:00Z'),
    ],
  });
  expect(await harness.work()).toBe(3);
  expect(await summariesOf(phone.userId, 'sleep')).toMatchObject([
    {
      calendar_date: '2026-01-05',
      bedtime_start: '2026-01-04T22:30:00+00:00',
      bedtime_stop: '2026-01-05T03:30:00+00:00',
      type: 'long_sleep',
      light: 3600,
      deep: 7200,
      rem: 3600,
      timezone_offset: 3600,
    },
    { type: 'short_sleep', light: 1800 },
  ]);
  const cycles = await summariesOf(phone.userId, 'sleep_cycle');
  expect(cycles.map((cycle) => cycle['stage_type'])).toEqual([[2, 1, 3], [2]]);
});

it('removes readings, workouts and parts of a night that were deleted on the phone', async () => {
  const phone = await harness.newPhone(caller);
  const weight = record(`${HK}BodyMass`, '2026-01-04T07:00:00Z', 71, 'kg');
  const kept = record(`${HK}BodyMass`, '2026-01-05T07:00:00Z', 72, 'kg');
  const run = record('running', '2026-01-04T12:00:00Z', null, null, { endDate: '2026-01-04T12:30:00Z', values: [] });
  const [light, deep] = [
    stage('light', '2026-01-04T23:00:00Z', '2026-01-05T00:00:00Z'),
    stage('deep', '2026-01-05T00:00:00Z', '2026-01-05T02:00:00Z'),
  ];
  const unknown = Array.from({ length: 6000 }, (_, index) => ({ id: `never-seen-${index}` }));
  await phone.sync('apple', { records: [weight, kept], workouts: [run], sleep: [light, deep] });
  await phone.sync('apple', {
    deleted: [...unknown, weight, run, deep, 5].map((item) => (typeof item === 'object' ? { id: item.id } : item)),
  });
  expect(await harness.work()).toBe(2);
  expect(await samplesOf(phone.userId, 'weight')).toMatchObject([{ value: 72 }]);
  expect(await summariesOf(phone.userId, 'workouts')).toEqual([]);
  expect(await summariesOf(phone.userId, 'sleep')).toMatchObject([{ light: 3600, deep: 0 }]);
});

it('remembers the time zone of a phone for items without one', async () => {
  const phone = await harness.newPhone(caller);
  const metadata = { HKTimeZone: 'America/New_York' };
  await phone.sync('apple', { records: [record(`${HK}BodyMass`, '2026-01-04T07:00:00Z', 71, 'kg', { metadata })] });
  await phone.sync('apple', { workouts: [record('yoga', '2026-01-05T02:00:00Z', null, null, { endDate: '2026-01-05T02:30:00Z' })] });
  await harness.work();
  expect(await summariesOf(phone.userId, 'workouts')).toMatchObject([{ calendar_date: '2026-01-04', timezone_offset: -18_000 }]);
});

it('pairs the two values of a blood pressure across batches, and forgets a deleted one', async () => {
  const phone = await harness.newPhone(caller);
  const values = (name: string, readings: readonly (readonly [time: string, value: number])[]) =>
    readings.map(([time, value]) => record(`${HK}BloodPressure${name}`, `2026-01-04T${time}:00Z`, value, 'mmHg'));
  const systolic = values('Systolic', [
    ['07:00', 121],
    ['08:00', 125],
    ['09:00', 130],
  ]);
  await phone.sync('apple', { records: systolic });
  await harness.work();
  expect(await samplesOf(phone.userId, 'blood_pressure')).toEqual([]);
  await phone.sync('apple', { deleted: [{ id: systolic[2]?.id }] });
  const diastolic = values('Diastolic', [
    ['07:00', 78],
    ['08:00', 80],
    ['09:00', 85],
    ['10:00', 90],
  ]);
  await phone.sync('apple', { records: diastolic });
  await harness.work();
  const pairs = [
    { timestamp: '2026-01-04T07:00:00+00:00', systolic: 121, diastolic: 78, source: 'watch' },
    { timestamp: '2026-01-04T08:00:00+00:00', systolic: 125, diastolic: 80, source: 'watch' },
  ];
  expect(await samplesOf(phone.userId, 'blood_pressure')).toMatchObject(pairs);
  await phone.sync('apple', { records: systolic.slice(0, 2) });
  await phone.sync('apple', { records: diastolic.slice(0, 2) });
  await harness.work();
  expect(await samplesOf(phone.userId, 'blood_pressure')).toMatchObject(pairs);
});

it('rejects envelopes with an unknown provider, and bodies beyond the limit', async () => {
  const phone = await harness.newPhone(caller);
  expect((await phone.sync('garmin', {})).status).toBe(400);
  const headers = { authorization: `Bearer ${phone.token}` };
  const path = `/api/v1/sdk/users/${phone.userId}/sync`;
  expect((await harness.bare('POST', path, '{"provider":', headers)).status).toBe(400);
  expect((await harness.bare('POST', path, `"${'x'.repeat(20 * 1024 * 1024)}"`, headers)).status).toBe(413);
  expect((await harness.bare('POST', path, { provider: 'apple', data: { records: 5 } }, headers)).status).toBe(202);
  await harness.work();
  expect(await rowsOf(phone.userId)).toMatchObject([{ state: 'failed', error_code: 'envelope_unreadable' }]);
  const logs = { sdkVersion: '0.6.0', events: [{ eventType: 'device_state', batteryLevel: -1 }] };
  expect((await harness.bare('POST', `/api/v1/sdk/users/${phone.userId}/logs`, logs, headers)).status).toBe(202);
});

it('stores bodies encrypted, and continues in order after a worker was killed', async () => {
  const phone = await harness.newPhone(caller);
  const heavier = (value: number) => ({ records: [record(`${HK}BodyMass`, '2026-01-04T07:00:00Z', value, 'kg', { source: watch })] });
  await phone.sync('apple', heavier(71));
  await phone.sync('apple', heavier(72));
  const [row] = await database.current.sql<{ body: Buffer }[]>`SELECT body FROM phone_batches WHERE user_id = ${phone.userId} LIMIT 1`;
  expect(row?.body.includes('BodyMass')).toBe(false);
  // The state that a dead worker leaves: claimed, and not due before its lease expires.
  await database.current.sql`
    UPDATE phone_batches SET attempts = 1, due_at = now() + interval '120 seconds'
    WHERE user_id = ${phone.userId} AND version = (SELECT min(version) FROM phone_batches WHERE user_id = ${phone.userId})`;
  expect(await harness.work()).toBe(0);
  await passTime(database.current, harness.clock, 121_000);
  expect(await harness.work()).toBe(2);
  expect(await samplesOf(phone.userId, 'weight')).toMatchObject([{ value: 72 }]);
});

it('processes batches of several users concurrently, and those of one user in sequence', async () => {
  const phones = await Promise.all(Array.from({ length: 4 }, () => harness.newPhone(caller)));
  for (let sent = 0; sent < 5; sent += 1)
    await Promise.all(
      phones.map((phone) => phone.sync('apple', { records: [record(`${HK}BodyMass`, '2026-01-04T07:00:00Z', 70 + sent, 'kg')] })),
    );
  const workers = Array.from({ length: 3 }, () => harness.newWorker());
  const drain = async ({ workOldest }: (typeof workers)[number]) => {
    while ((await workOldest()) > 0);
  };
  await Promise.all(workers.map(drain));
  await harness.work();
  for (const { userId } of phones) {
    expect((await rowsOf(userId)).map(({ state }) => state)).toEqual(new Array(5).fill('done'));
    expect(await samplesOf(userId, 'weight')).toMatchObject([{ value: 74 }]);
  }
});
