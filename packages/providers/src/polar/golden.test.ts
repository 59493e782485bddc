import { describe, expect, it } from 'vitest';
import { historyDepth } from '../kit/history-depth.ts';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { createFakeHttp } from '../kit/testing/fake-http.ts';
import { createRecordMaker } from '../kit/records/record-maker.ts';
import type { PulledPage } from '../kit/types/connector.ts';
import { mapActivity } from './mappers/map-activity.ts';
import { mapBodyTemperature, mapSkinTemperature, mapSpo2 } from './mappers/map-biosensing.ts';
import { mapEcg } from './mappers/map-ecg.ts';
import { exercisesIn, mapExercise } from './mappers/map-exercise.ts';
import { mapHeartrate } from './mappers/map-heartrate.ts';
import { mapPhysical } from './mappers/map-physical.ts';
import { mapSleep } from './mappers/map-sleep.ts';
import { createContext } from './polar.ts';
import { polarPulls } from './pulls/all.ts';
import { polarSport } from './sports.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: '1',
  grantedScopes: [],
  account: {},
};
const window = { startDate: '2025-05-01', endDate: '2025-05-02' };
const night = { date: '2025-05-01', sleep_start_time: '2025-04-30T23:39:07+03:00', sleep_end_time: '2025-05-01T07:19:37+03:00' };
const context = createContext(user, { nights: [night] });

describeMappers(import.meta.url, {
  // Two responses in one file.
  sleep: (body) => mapSleep({ sleep: body, recharge: body }, window, context),
  activity: (body) => mapActivity(body, window, context),
  exercise: (body) => mapExercise(body, createRecordMaker('polar', user)),
  physical: (body) => mapPhysical(body, context),
  heartrate: (body) => mapHeartrate(body, context),
  spo2: (body) => mapSpo2(body, context),
  ecg: (body) => mapEcg(body, context),
  'skin-temperature': (body) => mapSkinTemperature(body, window, context),
  'body-temperature': (body) => mapBodyTemperature(body, context),
});

it('ignores a test whose time is not in seconds', () => {
  const test = {
    test_time: 1_746_086_400_000,
    time_zone_offset: 180,
    test_status: 'SPO2_TEST_PASSED',
    blood_oxygen_percent: 97,
    samples: [],
  };
  for (const map of [mapSpo2, mapEcg]) {
    const { records, quarantined } = map([test], context);
    expect(records).toEqual([]);
    expect(quarantined).toMatchObject([{ reason: 'bad_time', pointer: '/0/test_time' }]);
  }
});

it.each([
  ['XC_SKIING_CLASSIC', 'cross_country_skiing'],
  ['LATIN_DANCING', 'dancing'],
  ['JUDO_MARTIAL_ARTS', 'martial_arts'],
  ['KICKBOXING_MARTIAL_ARTS', 'kickboxing'],
  ['TRACK_AND_FIELD_RUNNING', 'running'],
  ['TREADMILL_RUNNING', 'treadmill_running'],
  ['TRIATHLON_CYCLING', 'cycling'],
  ['TRIATHLON_SWIMMING', 'open_water_swimming'],
  ['WATERSPORTS_KAYAKING', 'kayaking'],
  ['VERTICALSPORTS_WALLCLIMBING', 'climbing'],
  ['HIIT', 'interval_training'],
  ['POOL_SWIMMING', 'swimming'],
  ['WATER_RUNNING', 'other'],
  ['SOMETHING_NEW', 'other'],
])("Polar's sport %s is %s", (name, slug) => {
  expect(polarSport(name, null).slug).toBe(slug);
  expect(polarSport('SOMETHING_NEW', name).slug).toBe(slug);
});

it.each(['2025-05-01T17:05:10Z', '2025-05-01T17:05:10.000', '2025-05-01T17:05:10+03:00'])(
  'reads the local start of an exercise written as %s',
  (start_time) => {
    const exercise = { id: 'a', start_time, start_time_utc_offset: 180, duration: 'PT10M', upload_time: '2025-05-01T15:20:00' };
    const { records } = mapExercise(exercise, createRecordMaker('polar', user));
    expect(records).toMatchObject([
      { at: Date.parse('2025-05-01T14:05:10Z'), calendarDate: '2025-05-01', data: { timezone_offset: 10_800 } },
    ]);
    expect(exercisesIn([exercise], window)).toEqual({ ids: ['a'], quarantined: [] });
  },
);

it('uses the zone of the user for an exercise without an offset', () => {
  const exercise = { id: 'a', start_time: '2025-05-01T17:05:10', duration: 'PT10M' };
  const inHelsinki = createRecordMaker('polar', { ...user, fallbackTimeZone: 'Europe/Helsinki' });
  expect(mapExercise(exercise, inHelsinki).records).toMatchObject([{ at: Date.parse('2025-05-01T14:05:10Z') }]);
});

it('reads a date of heart rates that includes a time', () => {
  const day = { date: '2025-05-01T00:00:00.000', heart_rate_samples: [{ heart_rate: 63, sample_time: '00:02:08' }] };
  expect(mapHeartrate(day, context).records).toMatchObject([{ samples: [{ ts: Date.parse('2025-04-30T21:02:08Z') }] }]);
  expect(mapHeartrate({ ...day, date: '2025-05-01 noon' }, context).quarantined).toMatchObject([{ reason: 'bad_time', pointer: '/date' }]);
});

describe('the heart rate', () => {
  const at = (date: string) => ({ date, heart_rate_samples: [{ heart_rate: 63, sample_time: '00:02:08' }] });
  const read = async (endDate: string, heart: unknown) => {
    const http = createFakeHttp(({ path }) => (path === '/users/sleep' ? { nights: [night] } : heart));
    const pull = polarPulls.find(({ name }) => name === 'heartrate');
    const pages: PulledPage[] = [];
    const signal = AbortSignal.timeout(10_000);
    for await (const page of pull?.pull({ http, user, window: { ...window, endDate }, signal }) ?? []) pages.push(page);
    return { pages, paths: http.paths };
  };

  it('of several days takes one call and yields a page per day; an unreadable day is quarantined', async () => {
    const days = [at('2025-05-01'), { heart_rate_samples: [] }, at('2025-05-03')];
    const { pages, paths } = await read('2025-05-08', { heart_rates: days });
    expect(paths).toEqual(['/users/sleep', '/users/continuous-heart-rate?from=2025-05-01&to=2025-05-08']);
    expect(pages.map(({ records, quarantined }) => [records.length, quarantined.length])).toEqual([
      [1, 0],
      [0, 1],
      [1, 0],
    ]);
  });

  it('of one day is read from its own URL', async () => {
    const { pages, paths } = await read('2025-05-01', at('2025-05-01'));
    expect(paths).toEqual(['/users/sleep', '/users/continuous-heart-rate/2025-05-01']);
    expect(pages.map(({ records }) => records.length)).toEqual([1]);
  });

  it.each([undefined, {}, { heart_rates: 5 }, 'text'])('is none in %j', async (body) => {
    expect((await read('2025-05-08', body)).pages.flatMap(({ records }) => records)).toEqual([]);
  });
});

it('rereads a week in one window, and no further back than the default of the contract', () => {
  for (const { name, chunkDays, rereadDays, backfillDays } of polarPulls) {
    expect(chunkDays).toBeGreaterThan(rereadDays);
    expect(rereadDays).toBe(name === 'exercises' ? 3 : 7);
    expect(backfillDays).toBeLessThanOrEqual(28);
  }
});

it('reads 360 days of activity at most, so that a delayed window stays within the provider’s year', () => {
  const deeper = polarPulls.flatMap((pull) => (pull.reachDays === undefined ? [] : [[pull.name, historyDepth(pull, 365)]]));
  expect(deeper).toEqual([['activity', 360]]);
});

it('finds an exercise by the day on which it started, and by the day of its upload', () => {
  const exercise = (id: string, start_time: string, upload_time?: string) => ({ id, start_time, upload_time });
  const list = [
    exercise('started', '2025-05-02T23:30:00', '2025-05-03T06:00:00Z'),
    exercise('handed-over', '2025-04-12T08:00:00', '2025-05-02T10:00:00'),
    exercise('long-known', '2025-04-12T08:00:00', '2025-04-12T10:00:00Z'),
    exercise('unknown', '2025-04-12T08:00:00'),
  ];
  expect(exercisesIn(list, window)).toEqual({ ids: ['started', 'handed-over'], quarantined: [] });
});
