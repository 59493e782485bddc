import { describe, expect, it } from 'vitest';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { createDayOffsets } from './day-offsets.ts';
import { mapActivity } from './mappers/map-activity.ts';
import { mapReadiness, mapSpo2, mapVo2Max } from './mappers/map-daily.ts';
import { mapHeartrate } from './mappers/map-heartrate.ts';
import { mapPersonal } from './mappers/map-personal.ts';
import { mapSessions } from './mappers/map-sessions.ts';
import { mapSleep } from './mappers/map-sleep.ts';
import { mapTags } from './mappers/map-tags.ts';
import { mapWorkouts } from './mappers/map-workouts.ts';
import { createContext } from './oura.ts';

const context = createContext({
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: 'Europe/Berlin',
  providerUserId: '8f9a5221',
  grantedScopes: [],
  account: { weight_kg: 74.8, weight_day: '2025-03-01' },
});
const window = { startDate: '2025-03-04', endDate: '2025-03-06' };
const offsets = createDayOffsets([
  { day: '2025-03-03', ms: Date.parse('2025-03-03T04:00:00+02:00'), offset: 7200 },
  { day: '2025-03-04', ms: Date.parse('2025-03-04T04:00:00+02:00'), offset: 7200 },
]);

describeMappers(import.meta.url, {
  personal: (body) => mapPersonal(body, context),
  activity: (body) => mapActivity(body, window, context),
  sleep: (body) => mapSleep(body, new Map([['2025-03-04', 78]]), null, context),
  readiness: (body) => mapReadiness(body, window, offsets, context),
  spo2: (body) => mapSpo2(body, window, offsets, context),
  'vo2-max': (body) => mapVo2Max(body, window, offsets, context),
  heartrate: (body) => mapHeartrate(body, window, offsets, context),
  workouts: (body) => mapWorkouts(body, window, context),
  sessions: (body) => mapSessions(body, window, context),
  tags: (body) => mapTags([body], window, context),
});

describe('daily_readiness, whose timestamp is always midnight UTC', () => {
  const day = { id: 'r', day: '2025-03-04', timestamp: '2025-03-04T00:00:00+00:00', temperature_deviation: 0.1 };
  const startIn = (zone: string | null, known = createDayOffsets([])) => {
    const user = { ...context.user, fallbackTimeZone: zone, account: {} };
    return mapReadiness({ data: [day] }, window, known, createContext(user)).records.flatMap((record) =>
      record.kind === 'samples' ? record.samples.map(({ ts, timezoneOffset }) => [new Date(ts).toISOString(), timezoneOffset]) : [],
    )[0];
  };

  it('starts with that day’s activity, or at the user’s midnight; the offset is null when unknown', () => {
    const row = { day: '2025-03-04', ms: Date.parse('2025-03-04T04:00:00-05:00'), offset: -18_000 };
    expect(startIn('Europe/Berlin', createDayOffsets([row]))).toEqual(['2025-03-04T09:00:00.000Z', -18_000]);
    expect(startIn('Europe/Berlin')).toEqual(['2025-03-03T23:00:00.000Z', 3600]);
    expect(startIn(null)).toEqual(['2025-03-04T00:00:00.000Z', null]);
  });
});
