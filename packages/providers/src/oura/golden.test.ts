import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { createDayOffsets } from './day-offsets.ts';
import { mapActivity } from './map-activity.ts';
import { mapReadiness, mapSpo2, mapVo2Max } from './map-daily.ts';
import { mapHeartrate } from './map-heartrate.ts';
import { mapPersonal } from './map-personal.ts';
import { mapSessions } from './map-sessions.ts';
import { mapSleep } from './map-sleep.ts';
import { mapWorkouts } from './map-workouts.ts';
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
  readiness: (body) => mapReadiness(body, window, context),
  spo2: (body) => mapSpo2(body, window, offsets, context),
  'vo2-max': (body) => mapVo2Max(body, window, context),
  heartrate: (body) => mapHeartrate(body, window, offsets, context),
  workouts: (body) => mapWorkouts(body, window, context),
  sessions: (body) => mapSessions(body, window, context),
});
