import type { Summary } from '@pulsewire/contract';
import { expect, it } from 'vitest';
import type { PhoneDayTotal, PhoneReading, StoredDay } from '../types.ts';
import { daySeries } from '../series.ts';
import { activityRecords, activitySeries } from './activity-records.ts';

const owner = { userId: 'b3f0c1de-0000-4000-8000-000000000001', provider: 'apple_health_kit' } as const;
const day = Date.UTC(2026, 0, 5) / 86_400_000;
const total = (resource: string, sum: number, more: Partial<PhoneDayTotal> = {}): PhoneDayTotal => ({
  sourceType: 'watch',
  resource,
  day,
  sum,
  min: null,
  max: null,
  average: null,
  offset: null,
  offsetFrom: undefined,
  ...more,
});
const reading = (kind: string, value: number, hour: number): PhoneReading => ({
  kind,
  value,
  sourceType: 'watch',
  appId: '',
  slot: 0,
  itemId: '',
  offset: 3600,
  atMs: Date.UTC(2026, 0, 5, hour),
});
const build = (
  totals: readonly PhoneDayTotal[],
  readings: readonly PhoneReading[] = [],
  stored: StoredDay | null = null,
  ...read: string[]
) =>
  activityRecords(
    owner,
    [{ sourceType: 'watch', day, stored, zone: null }],
    { series: new Set(read), hasReadings: readings.length > 0 },
    totals,
    readings,
  )[0];
const dataOf = (...given: Parameters<typeof build>) => (build(...given) as Summary).data;

it('rounds what cannot be fractions, and leaves out energy of which a part is unknown', () => {
  const data = dataOf([total('steps', 99.6), total('calories_active', 10.126), total('wheelchair_push', 0)]);
  expect(data).toMatchObject({ steps: 100, calories_active: 10.13, calories_total: null, distance: null, heart_rate: null });
  expect(data).toMatchObject({ wheelchair_use: null, wheelchair_push: null });
  expect(dataOf([total('wheelchair_push', 12)])).toMatchObject({ wheelchair_use: true, wheelchair_push: 12 });
});

it('has the westernmost of its offsets, in whatever order series are read', () => {
  const [west, east] = [
    total('distance', 1, { offset: 3600, offsetFrom: 'user' }),
    total('steps', 1, { offset: 7200, offsetFrom: 'value' }),
  ];
  const expected = { offsetFrom: 'user', data: { timezone_offset: 3600, steps: 1, distance: 1 } };
  expect(build([east, total('floors_climbed', 1), west])).toMatchObject(expected);
  for (const [first, second] of [
    [west, east],
    [east, west],
  ] as const) {
    const { data, offsetFrom } = build([first]) as Summary;
    expect(build([second], [], { data, offsetFrom }, second.resource)).toMatchObject(expected);
  }
});

it('keeps fields of series that were not read again, and clears those without samples left', () => {
  const data = {
    steps: 50,
    distance: 40,
    calories_active: 9,
    calories_total: 20,
    heart_rate: { avg_bpm: 70, min_bpm: 60, max_bpm: 90, resting_bpm: 58 },
  };
  const stored = { data, offsetFrom: undefined };
  const rates = { avg_bpm: 70, min_bpm: 60, max_bpm: 90, resting_bpm: 54, avg_walking_bpm: null };
  expect(dataOf([total('steps', 60)], [reading('resting', 54, 6)], stored, 'steps')).toEqual({
    steps: 60,
    distance: 40,
    floors_climbed: null,
    calories_active: 9,
    calories_total: 20,
    wheelchair_use: null,
    wheelchair_push: null,
    time_zone: null,
    timezone_offset: null,
    heart_rate: rates,
  });
  const { resting_bpm: resting } = data.heart_rate;
  expect(dataOf([], [], stored, 'distance', 'heartrate')).toMatchObject({
    steps: 50,
    distance: null,
    heart_rate: { avg_bpm: null, resting_bpm: resting },
  });
});

it('takes the readings of the local day, the latest of each kind', () => {
  const readings = [reading('resting', 52, 20), reading('resting', 55, 6), reading('walking', 99, 8), reading('resting', 70, 23)];
  expect(dataOf([], readings)).toMatchObject({ steps: null, heart_rate: { resting_bpm: 52, avg_walking_bpm: 99, avg_bpm: null } });
});

it('is a removal for a day without movement and resting heart rate', () => {
  const made = build([total('steps', 1)]) as Summary;
  const gone = { kind: 'summary_removal', resource: 'activity', id: made.id };
  expect([build([]), build([total('heartrate', 0, { average: 60 })], [reading('walking', 90, 8)])]).toEqual([gone, gone]);
});

it('is made of the series that are known to be part of days', () => {
  expect(new Set(activitySeries)).toEqual(daySeries);
});
