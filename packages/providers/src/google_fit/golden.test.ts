import type { Quarantined } from '@pulsewire/contract';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { createContext } from './google-fit.ts';
import { mapActivity } from './mappers/map-activity.ts';
import { mapBody, mapProfile } from './mappers/map-body.ts';
import { mapCycles } from './mappers/map-cycles.ts';
import { mapMeals } from './mappers/map-meals.ts';
import { mapSeries } from './mappers/map-series.ts';
import { mapMindfulness, mapWorkouts, type WorkoutTotals } from './mappers/map-sessions.ts';
import { mapSleep } from './mappers/map-sleep.ts';
import { readSessionList } from './mappers/read-session.ts';
import { seriesRows } from './series.ts';
import { kindOfSession } from './sports.ts';

const context = createContext({
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: 'Europe/Berlin',
  providerUserId: '10769150350006150715113082367',
  grantedScopes: [],
  account: {},
});
const window = { startDate: '2026-08-12', endDate: '2026-08-15' };

function rowOf(resource: string) {
  const row = seriesRows.find((one) => one.resource === resource);
  if (row === undefined) throw new Error(`There is no series of ${resource}.`);
  return row;
}

/** A member of a fixture that holds several responses. */
function part(body: unknown, key: string): unknown {
  return typeof body === 'object' && body !== null && key in body ? (body as Record<string, unknown>)[key] : undefined;
}

function mapSessions(body: unknown) {
  const quarantined: Quarantined[] = [];
  const sessions = readSessionList('workouts', part(body, 'list'), context, quarantined);
  const totals = (part(body, 'totals') ?? {}) as WorkoutTotals;
  const workouts = sessions.filter(({ code }) => kindOfSession(code) === 'workout').map((session) => [session, totals] as const);
  const mapped = mapWorkouts(workouts, context);
  const mindful = sessions.filter(({ code }) => kindOfSession(code) === 'mindfulness');
  return {
    records: [...mapped.records, ...mapMindfulness(mindful, context)],
    quarantined: [...quarantined, ...mapped.quarantined],
  };
}

describeMappers(import.meta.url, {
  steps: (body) => mapSeries(body, rowOf('steps'), context),
  calories: (body) => mapSeries(body, rowOf('calories_active'), context),
  heartrate: (body) => mapSeries(body, rowOf('heartrate'), context),
  pressure: (body) => mapSeries(body, rowOf('blood_pressure'), context),
  glucose: (body) => mapSeries(body, rowOf('glucose'), context),
  temperature: (body) => mapSeries(body, rowOf('body_temperature'), context),
  water: (body) => mapSeries(body, rowOf('water'), context),
  body: (body) => mapBody({ weight: [part(body, 'weight')], fat: [part(body, 'fat')] }, context),
  profile: (body) => mapProfile(body, context),
  activity: (body) => mapActivity(body ?? {}, window, context),
  sleep: (body) => mapSleep(part(body, 'list'), [part(body, 'segments')], window, context),
  workouts: mapSessions,
  meals: (body) => mapMeals([body], context),
  cycles: (body) =>
    mapCycles(
      {
        flow: [part(body, 'flow')],
        mucus: [part(body, 'mucus')],
        ovulation: [part(body, 'ovulation')],
        spotting: [part(body, 'spotting')],
      },
      window,
      context,
    ),
});
