import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import type { MappedRecords } from '../kit/types/connector.ts';
import type { Bodies } from './data-points.ts';
import { createContext } from './google-health.ts';
import { mapCycles } from './mappers/map-cycles.ts';
import { mapActivity } from './mappers/map-activity.ts';
import { mapAlerts, mapEcg, mapNotes, mapProfile, mapWater } from './mappers/map-logs.ts';
import { mapMeals } from './mappers/map-meals.ts';
import { mapSeries, mapWeighings } from './mappers/map-series.ts';
import { mapSleep } from './mappers/map-sleep.ts';
import { mapWorkouts, readZoneBounds } from './mappers/map-workouts.ts';
import { readNightFacts } from './mappers/night-facts.ts';
import { seriesRows } from './series.ts';

const context = createContext({
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: '31415926',
  grantedScopes: [],
  account: {
    time_zone: 'Europe/Berlin',
    devices: [
      { id: '1369721017', type: 'watch', model: 'Charge 6' },
      { id: 'F-31-A4', type: 'scale', model: 'Aria Air' },
    ],
    device_types: { 'Charge 6': { type: 'watch', learned: null }, 'Aria Air': { type: 'scale', learned: null } },
  },
});
const window = { startDate: '2026-08-12', endDate: '2026-08-14' };

function rowOf(resource: string) {
  const row = seriesRows.find((one) => one.resource === resource);
  if (row === undefined) throw new Error(`There is no series of ${resource}.`);
  return row;
}

const fixture = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8')) as unknown;

/** The only page of the first type of a series. */
const mapPage = (body: unknown, resource: string) => mapSeries({ [rowOf(resource).types[0].type]: [body] }, rowOf(resource), context);
/** Pages by type, as a fixture of several types has them. */
const pagesIn = (body: unknown): Bodies =>
  Object.fromEntries(Object.entries(body ?? {}).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1])));

const temperatures = await fixture('skin-temperature');
const facts = readNightFacts([{ type: 'daily-sleep-temperature-derivations', body: temperatures }], []);
const bounds = readZoneBounds([await fixture('heart-rate-zones')], []);

describeMappers(import.meta.url, {
  steps: (body) => mapPage(body, 'steps'),
  'heart-rate': (body) => mapPage(body, 'heartrate'),
  'oxygen-saturation': (body) => mapPage(body, 'blood_oxygen'),
  'oxygen-nights': (body) => mapSeries(pagesIn(body), rowOf('blood_oxygen'), context),
  breathing: (body) => mapSeries(pagesIn(body), rowOf('respiratory_rate'), context),
  'vo2-max': (body) => mapSeries(pagesIn(body), rowOf('vo2_max'), context),
  swimming: (body) => mapPage(body, 'workout_swimming_stroke'),
  'skin-temperature': (body) => mapPage(body, 'body_temperature_delta'),
  'blood-glucose': (body) => mapPage(body, 'glucose'),
  weighings: (body) => mapWeighings(pagesIn(body), window, context),
  sleep: (body) => mapSleep([body], facts, context),
  'sleep-recorded': (body) => mapSleep([body], facts, context),
  workouts: (body) => mapWorkouts([body], window, context, bounds),
  'workouts-recorded': (body) => mapWorkouts([body], window, context),
  activity: (body) => mapActivity(Object.fromEntries(Object.entries(body ?? {}).map(([type, page]) => [type, [page]])), window, context),
  meals: (body) => mapMeals([body], context),
  water: (body) => mapWater(body, context),
  ecg: (body) => mapEcg(body, window, context),
  alerts: (body) => mapAlerts(body, context),
  cycles: (body) => mapCycles(pagesIn(body), { startDate: '2026-08-01', endDate: '2026-09-30' }, context),
  notes: (body) => mapNotes(pagesIn(body), window, context),
  profile: (body) => mapProfile(body, context),
});

/** Local days and values, as [day, value]. */
const readingsOf = ({ records }: MappedRecords) =>
  records
    .flatMap((record) => (record.kind === 'samples' ? record.samples : []))
    .map(({ ts, value, timezoneOffset }) => [new Date(ts + (timezoneOffset ?? 0) * 1000).toISOString().slice(0, 16), value]);

it('leaves out a night temperature without a baseline, and a filler of the blood oxygen', async () => {
  expect(readingsOf(mapPage(temperatures, 'body_temperature_delta'))).toEqual([['2026-08-14T00:00', 0.51]]);
  expect(readingsOf(mapPage(await fixture('oxygen-saturation'), 'blood_oxygen'))).toEqual([['2026-08-14T03:00', 96.4]]);
});

it('reads the daily blood oxygen of exactly the nights without a measurement', async () => {
  const pages = pagesIn(await fixture('oxygen-nights'));
  const measured = [
    ['2026-08-15T23:30', 95.1],
    ['2026-08-14T03:00', 96.4],
  ];
  const daily = [
    ['2026-08-15T00:00', 95.8],
    ['2026-08-13T00:00', 96],
  ];
  expect(readingsOf(mapSeries(pages, rowOf('blood_oxygen'), context))).toEqual([...measured, ...daily]);
  // Whether the night of the first day that was read has a measurement in its evening is unknown.
  expect(readingsOf(mapSeries(pages, rowOf('blood_oxygen'), context, '2026-08-13'))).toEqual([...measured, ...daily.slice(0, 1)]);
});

it('reads the breathing of a sleep only on days without a daily value', async () => {
  expect(readingsOf(mapSeries(pagesIn(await fixture('breathing')), rowOf('respiratory_rate'), context))).toEqual([
    ['2026-08-14T00:00', 14.2],
    ['2026-08-13T07:10', 14.813],
  ]);
});

it('gives a weighing the fat of the same scale and minute, and no other', async () => {
  const { records } = mapWeighings(pagesIn(await fixture('weighings')), window, context);
  const bodies = records.flatMap((record) => (record.kind === 'summary' ? [[record.data['weight'], record.data['fat']]] : []));
  expect(bodies).toEqual([
    [72.6, null],
    [72.4, 21.5],
    [72.951, null],
  ]);
});

it('gives the facts of a day to its main sleep, wherever a page ends', async () => {
  const { dataPoints } = (await fixture('sleep')) as { readonly dataPoints: readonly unknown[] };
  const together = mapSleep([{ dataPoints }], facts, context);
  const apart = dataPoints.map((point) => ({ dataPoints: [point] }));
  expect(mapSleep(apart, facts, context)).toEqual(together);
});
