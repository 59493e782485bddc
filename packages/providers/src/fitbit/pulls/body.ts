import { createProfilePull } from '../../kit/pull-presets.ts';
import { historyDaysMax } from '../../kit/history-depth.ts';
import { countDays, eachDay } from '../../kit/time/days.ts';
import type { ProviderHttp, ProviderResponse, PulledPage, PullSpec, PullWindow } from '../../kit/types/connector.ts';
import { allLogged, allSummaries } from '../context/all-of.ts';
import { createMapContext, pageOf, type MapContext } from '../context/map-context.ts';
import { mapCoreTemperature, mapFat, mapProfile, mapWeight } from '../mappers/map-body.ts';
import { mapFoods, mapWaterSeries, readDaysWithFood } from '../mappers/map-foods.ts';
import { rangePull } from './paging.ts';

export const profilePull = createProfilePull({
  requiredScopes: ['profile'],
  path: '/1/user/-/profile.json',
  map: (body, user) => mapProfile(body, createMapContext(user)),
});

export const weightPull = rangePull({
  name: 'weight',
  resources: ['body', 'weight'],
  requiredScopes: ['weight'],
  chunkDays: 31,
  collections: ['body'],
  path: (start, end) => `/1/user/-/body/log/weight/date/${start}/${end}.json`,
  map: mapWeight,
  allOf: (days, context) => [...allSummaries('body', ['scale', 'app'], days), ...allLogged('weight', ['scale', 'app'], days, context)],
  deletions: 'by_absence',
});

export const fatPull = rangePull({
  name: 'fat',
  resources: ['fat'],
  requiredScopes: ['weight'],
  chunkDays: 31,
  collections: ['body'],
  path: (start, end) => `/1/user/-/body/log/fat/date/${start}/${end}.json`,
  map: mapFat,
  allOf: (days, context) => allLogged('fat', ['scale', 'app'], days, context),
  deletions: 'by_absence',
});

export const coreTemperaturePull = rangePull({
  name: 'core-temperature',
  resources: ['body_temperature'],
  requiredScopes: ['temperature'],
  chunkDays: 30,
  collections: [],
  path: (start, end) => `/1/user/-/temp/core/date/${start}/${end}.json`,
  map: mapCoreTemperature,
  allOf: (days, context) => allLogged('body_temperature', ['app'], days, context),
  deletions: 'by_absence',
});

const foodLog = '/1/user/-/foods/log';
/** From this many days on, the series are read first, to find the days with any data; fewer days are read one by one. */
const seriesPayFromDays = 5;

/** The day's response also contains its water, so the water log is not requested. */
async function pullFoods(http: ProviderHttp, day: string, context: MapContext): Promise<PulledPage> {
  const response = await http.get(`${foodLog}/date/${day}.json`);
  const days = { startDate: day, endDate: day };
  const allOf = [...allSummaries('meal', ['app'], days), ...allLogged('water', ['app'], days, context)];
  return pageOf(response, { ...mapFoods(response.body, day, context), allOf });
}

async function* pullSeries(http: ProviderHttp, window: PullWindow, context: MapContext): AsyncGenerator<PulledPage> {
  const read = (series: string): Promise<ProviderResponse> =>
    http.get(`${foodLog}/${series}/date/${window.startDate}/${window.endDate}.json`);
  const calories = await read('caloriesIn');
  const { days, quarantined } = readDaysWithFood(calories.body);
  yield { version: calories.version, records: [], quarantined };
  const water = await read('water');
  yield pageOf(water, { ...mapWaterSeries(water.body, context), allOf: allLogged('water', ['app'], window, context) });
  for (const day of eachDay(window).toReversed()) if (days.has(day)) yield await pullFoods(http, day, context);
}

export const foodsPull: PullSpec = {
  name: 'foods',
  resources: ['meal', 'water'],
  requiredScopes: ['nutrition'],
  chunkDays: 30,
  backfillDays: 90,
  reachDays: historyDaysMax,
  rereadDays: 3,
  collections: ['foods'],
  deletions: 'by_absence',
  async *pull({ http, user, window }) {
    const context = createMapContext(user);
    if (countDays(window) >= seriesPayFromDays) yield* pullSeries(http, window, context);
    else for (const day of eachDay(window)) yield await pullFoods(http, day, context);
  },
};
