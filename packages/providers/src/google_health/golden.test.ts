import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { createContext } from './google-health.ts';
import { mapActivity } from './mappers/map-activity.ts';
import { mapAlerts } from './mappers/map-alerts.ts';
import { mapEcg } from './mappers/map-ecg.ts';
import { mapMeals } from './mappers/map-meals.ts';
import { mapProfile } from './mappers/map-profile.ts';
import { mapSeries } from './mappers/map-series.ts';
import { mapSleep } from './mappers/map-sleep.ts';
import { mapWater } from './mappers/map-water.ts';
import { mapWeight } from './mappers/map-weight.ts';
import { mapWorkouts } from './mappers/map-workouts.ts';
import { readNightFacts } from './mappers/night-facts.ts';
import { seriesRows } from './series.ts';

const context = createContext({
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: '31415926',
  grantedScopes: [],
  account: { time_zone: 'Europe/Berlin' },
});
const window = { startDate: '2026-08-12', endDate: '2026-08-14' };

function rowOf(type: string) {
  const row = seriesRows.find((one) => one.type === type);
  if (row === undefined) throw new Error(`There is no series of ${type}.`);
  return row;
}

const temperatures: unknown = JSON.parse(await readFile(new URL('fixtures/skin-temperature.json', import.meta.url), 'utf8'));
const facts = readNightFacts([{ type: 'daily-sleep-temperature-derivations', body: temperatures }], []);

describeMappers(import.meta.url, {
  steps: (body) => mapSeries(body, rowOf('steps'), context),
  'heart-rate': (body) => mapSeries(body, rowOf('heart-rate'), context),
  'oxygen-saturation': (body) => mapSeries(body, rowOf('oxygen-saturation'), context),
  'skin-temperature': (body) => mapSeries(body, rowOf('daily-sleep-temperature-derivations'), context),
  'blood-glucose': (body) => mapSeries(body, rowOf('blood-glucose'), context),
  weight: (body) => mapWeight(body, rowOf('weight'), context),
  sleep: (body) => mapSleep(body, facts, context),
  'sleep-recorded': (body) => mapSleep(body, facts, context),
  workouts: (body) => mapWorkouts(body, window, context),
  'workouts-recorded': (body) => mapWorkouts(body, window, context),
  activity: (body) => mapActivity(body ?? {}, window, context),
  meals: (body) => mapMeals([body], context),
  water: (body) => mapWater(body, context),
  ecg: (body) => mapEcg(body, window, context),
  alerts: (body) => mapAlerts(body, context),
  profile: (body) => mapProfile(body, context),
});

it('leaves out a night temperature without a baseline, and a filler of the blood oxygen', async () => {
  const oxygen: unknown = JSON.parse(await readFile(new URL('fixtures/oxygen-saturation.json', import.meta.url), 'utf8'));
  const valuesOf = (page: unknown, type: string) =>
    mapSeries(page, rowOf(type), context).records.flatMap((record) =>
      record.kind === 'samples' ? record.samples.map(({ value }) => value) : [],
    );
  expect(valuesOf(temperatures, 'daily-sleep-temperature-derivations')).toEqual([0.51]);
  expect(valuesOf(oxygen, 'oxygen-saturation')).toEqual([96.4]);
});
