import { describe, expect, it } from 'vitest';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import type { PullUser } from '../kit/types/connector.ts';
import { collections, mapSummaries } from './collections.ts';

const user: PullUser = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: 'u1',
  grantedScopes: [],
  account: {},
};

const keys = collections.map(({ key }) => key).filter((key) => key !== 'manuallyUpdatedActivities');
describeMappers(import.meta.url, Object.fromEntries(keys.map((key) => [key, (body: unknown) => mapSummaries(key, body, user)])));

const start = 1_746_050_400;
const span = { startTimeInSeconds: start, startTimeOffsetInSeconds: 7200, durationInSeconds: 900 };

describe('epochs', () => {
  it('of the same quarter hour are summed, whatever the activity', () => {
    const rows = [100, 300, 7].map((steps, place) => ({ ...span, startTimeInSeconds: start + (place === 2 ? 900 : 0), steps }));
    const [group] = mapSummaries('epochs', rows, user).records;
    expect(group?.kind === 'samples' && group.samples.map(({ value }) => value)).toEqual([400, 7]);
  });
});

describe('readings', () => {
  const stress = (more: object, zone: string | null = null) => {
    const item = { ...span, durationInSeconds: 86_400, timeOffsetStressLevelValues: { '0': 25, '7200': 31 }, ...more };
    const [group] = mapSummaries('stressDetails', [item], { ...user, fallbackTimeZone: zone }).records;
    return group?.kind === 'samples' ? group.samples.map(({ value, timezoneOffset }) => [value, timezoneOffset]) : [];
  };

  it('below zero are omitted as not measured', () => {
    expect(stress({ timeOffsetStressLevelValues: { '0': -1, '180': 0, '360': -5, '540': 9 } })).toEqual([
      [0, 7200],
      [9, 7200],
    ]);
  });

  it('have the offset of their summary, or of the user’s zone after a clock change, or null', () => {
    expect(stress({})).toEqual([
      [25, 7200],
      [31, 7200],
    ]);
    const changed = { startTimeInSeconds: 1_743_289_200, startTimeOffsetInSeconds: 3600, durationInSeconds: 82_800 };
    expect(stress(changed, 'Europe/Berlin')).toEqual([
      [25, 3600],
      [31, 7200],
    ]);
    expect(stress(changed)).toEqual([
      [25, 3600],
      [31, null],
    ]);
  });
});

describe('a health snapshot', () => {
  const snapshotOf = (more: object) => {
    const heart = { summaryType: 'heart_rate', epochSummaries: { '0': 61, '1': 62, '2': 63 } };
    const item = { summaryId: 's', startTimeInSeconds: start + 14, durationInSeconds: 120, summaries: [heart], ...more };
    const [group] = mapSummaries('healthSnapshot', [item], user).records;
    return group?.kind === 'samples'
      ? group.samples.map(({ ts, value, timezoneOffset }) => [ts / 1000 - start, value, timezoneOffset])
      : [];
  };

  it('leaves the instants that dailies cover to them, so that neither replaces the other', () => {
    expect(snapshotOf({})).toEqual([
      [14, 61, null],
      [16, 63, null],
    ]);
  });

  it('has its offset under either name', () => {
    for (const name of ['startTimeOffsetInSeconds', 'offsetStartTimeInSeconds']) {
      expect(snapshotOf({ [name]: 7200 }).map(([, , offset]) => offset)).toEqual([7200, 7200]);
    }
  });
});

it('reads a zero heart rate or score as not measured, and zero steps as data', () => {
  const nothing = { averageHeartRateInBeatsPerMinute: 0, maxHeartRateInBeatsPerMinute: 0, restingHeartRateInBeatsPerMinute: 0, steps: 0 };
  const dataOf = (key: string, more: object) => {
    const [record] = mapSummaries(key, [{ ...span, ...nothing, summaryId: 's', activityId: 7, ...more }], user).records;
    return record?.kind === 'summary' ? record.data : {};
  };
  expect(dataOf('activities', {})).toMatchObject({ average_hr: null, max_hr: null, steps: 0 });
  expect(dataOf('dailies', {})).toMatchObject({ steps: 0, heart_rate: { max_bpm: null, resting_bpm: null } });
  expect(dataOf('sleeps', { overallSleepScore: { value: 0 } })).toMatchObject({ score: null });
  expect(dataOf('sleeps', {})).toMatchObject({ score: null });
});

it('omits an unmeasured heart rate from a track', () => {
  const samples = [0, 120].map((heartRate, place) => ({ startTimeInSeconds: start + place, heartRate, powerInWatts: 0 }));
  const [track] = mapSummaries('activityDetails', [{ activityId: 7, samples }], user).records;
  expect(track?.kind === 'stream' && track.data).toEqual({ time: [start, start + 1], heartrate: [null, 120], power: [0, 0] });
});

it.each([
  ['TENNIS_V2', 'tennis'],
  ['SNOWBOARDING_WS', 'snowboarding'],
  ['CROSS_COUNTRY_SKIING_WS', 'cross_country_skiing'],
  ['SKATING_WS', 'ice_skating'],
  ['ROWING_V2', 'rowing'],
  ['ULTRA_RUN', 'running'],
  ['WHEELCHAIR_PUSH_RUN', 'wheelchair_pushing'],
  ['TRANSITION_V2', 'other'],
  ['toString', 'other'],
])('maps a workout of type %s to the sport %s', (activityType, slug) => {
  const [workout] = mapSummaries('activities', [{ ...span, activityId: 7, activityType }], user).records;
  expect(workout?.kind === 'summary' && workout.data).toMatchObject({ sport: { slug } });
});

describe('an impossible time', () => {
  it.each(['startTimeInSeconds', 'durationInSeconds', 'startTimeOffsetInSeconds'])('quarantines the summary: %s', (key) => {
    const mapped = mapSummaries('dailies', [{ ...span, steps: 1, [key]: 1e18 }], user);
    expect(mapped.records).toEqual([]);
    expect(mapped.quarantined).toEqual([{ resource: 'activity', reason: 'bad_time', pointer: `/0/${key}` }]);
  });
});

describe('a night without levels', () => {
  const nightOf = (more: object) => {
    const [record] = mapSummaries('sleeps', [{ ...span, summaryId: 's', ...more }], user).records;
    return record?.kind === 'summary' ? record.data : {};
  };
  const parts = {
    deepSleepDurationInSeconds: 6000,
    lightSleepDurationInSeconds: 12_000,
    remSleepInSeconds: 6000,
    awakeDurationInSeconds: 600,
  };

  it('is as long as its parts, whether its duration includes the time awake or not', () => {
    for (const durationInSeconds of [24_000, 24_600]) {
      expect(nightOf({ ...parts, durationInSeconds })).toMatchObject({ duration: 24_600, total: 24_000, awake: 600, efficiency: 97.6 });
    }
  });

  it('without stages counts its whole duration as sleep, with no efficiency', () => {
    const zeros = Object.fromEntries(Object.keys(parts).map((key) => [key, 0]));
    for (const more of [{}, zeros]) {
      expect(nightOf({ durationInSeconds: 28_260, validation: 'OFF_WRIST', ...more })).toMatchObject({
        duration: 28_260,
        total: 28_260,
        light: 0,
        efficiency: null,
      });
    }
  });
});

it('assigns manual entries the source type app and joins a track to its workout', () => {
  const typesOf = (key: string, item: object) =>
    mapSummaries(key, [{ ...span, activityId: 7, ...item }], user).records.map((record) =>
      'source' in record ? record.source.type : null,
    );
  const pressure = { measurementTimeInSeconds: start, systolic: 121, diastolic: 79, pulse: 64 };
  expect(typesOf('bloodPressures', { ...pressure, sourceType: 'MANUAL' })).toEqual(['app', 'app']);
  expect(typesOf('bloodPressures', { ...pressure, sourceType: 'DEVICE' })).toEqual(['cuff', 'cuff']);
  expect(typesOf('activities', { manual: true })).toEqual(['app']);
  expect(typesOf('manuallyUpdatedActivities', { manual: false })).toEqual(['watch']);
  const detail = {
    activityId: 7,
    summary: { ...span, activityId: 7, manual: true },
    samples: [{ startTimeInSeconds: start, heartRate: 120 }],
  };
  const [track] = mapSummaries('activityDetails', [detail], user).records;
  const [workout] = mapSummaries('activities', [detail.summary], user).records;
  expect(track?.kind === 'stream' && workout?.kind === 'summary' && track.workoutId === workout.id).toBe(true);
});
