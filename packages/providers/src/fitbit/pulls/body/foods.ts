import { countDays, eachDay } from '../../../kit/time/days.ts';
import { historyDaysMax } from '../../../kit/history-depth.ts';
import type { ProviderResponse, ProviderHttp, PulledPage, PullSpec, PullWindow } from '../../../kit/types/connector.ts';
import { allLogged, allSummaries } from '../../context/all-of.ts';
import { mapFoods, mapWaterSeries, readDaysWithFood } from '../../mappers/body/map-foods.ts';
import { createMapContext, pageOf, type MapContext } from '../../context/map-context.ts';

const path = '/1/user/-/foods/log';
/** From this many days on, the series are read first, to find the days with any data; fewer days are read one by one. */
const seriesPayFromDays = 5;

/** The day's response also contains its water, so the water log is not requested. */
async function pullDay(http: ProviderHttp, day: string, context: MapContext): Promise<PulledPage> {
  const response = await http.get(`${path}/date/${day}.json`);
  const days = { startDate: day, endDate: day };
  const allOf = [...allSummaries('meal', ['app'], days), ...allLogged('water', ['app'], days, context)];
  return pageOf(response, { ...mapFoods(response.body, day, context), allOf });
}

async function* pullSeries(http: ProviderHttp, window: PullWindow, context: MapContext): AsyncGenerator<PulledPage> {
  const read = (series: string): Promise<ProviderResponse> => http.get(`${path}/${series}/date/${window.startDate}/${window.endDate}.json`);
  const calories = await read('caloriesIn');
  const { days, quarantined } = readDaysWithFood(calories.body);
  yield { version: calories.version, records: [], quarantined };
  const water = await read('water');
  yield pageOf(water, { ...mapWaterSeries(water.body, context), allOf: allLogged('water', ['app'], window, context) });
  for (const day of eachDay(window).toReversed()) if (days.has(day)) yield await pullDay(http, day, context);
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
    else for (const day of eachDay(window)) yield await pullDay(http, day, context);
  },
};
