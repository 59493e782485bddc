import type { Quarantined } from '@pulsewire/contract';
import { isAppError } from '@pulsewire/kernel';
import { addDays, eachDay } from '../../kit/time/days.ts';
import type { ProviderHttp, PulledPage, PullSpec } from '../../kit/types/connector.ts';
import { createMapContext, pageOf, type MapContext } from '../context/map-context.ts';
import {
  distanceSeries,
  floorsSeries,
  mapCaloriesActive,
  mapCaloriesActiveTotals,
  mapCaloriesBasal,
  mapMovementDay,
  mapMovementTotals,
  readBasalByDay,
  stepsSeries,
  type MovementSeries,
} from '../mappers/map-minutes.ts';
import { rangePull } from './paging.ts';

const activities = '/1/user/-/activities';

async function pullMovement(http: ProviderHttp, movement: MovementSeries, day: string, context: MapContext): Promise<PulledPage> {
  const path = `${activities}/${movement.series}/date`;
  try {
    const response = await http.get(`${path}/${day}/1d/1min.json`);
    return pageOf(response, mapMovementDay(response.body, movement, day, context));
  } catch (error) {
    // Minutes require an approval that an application may lack although it has the scope: then only the day's total is available.
    if (!isAppError(error) || error.code !== 'provider_scope_missing') throw error;
    const response = await http.get(`${path}/${day}/${day}.json`);
    return pageOf(response, mapMovementTotals(response.body, movement, context));
  }
}

/** Minutes of steps, distance or floors: one call per day, 14 days of history. */
function movementPull(name: string, movement: MovementSeries): PullSpec {
  return {
    name,
    resources: [movement.resource],
    requiredScopes: ['activity'],
    chunkDays: 1,
    backfillDays: 14,
    rereadDays: 3,
    collections: ['activities'],
    deletions: 'by_absence',
    async *pull({ http, user, window }) {
      const context = createMapContext(user);
      for (const day of eachDay(window)) yield await pullMovement(http, movement, day, context);
    },
  };
}

export const stepsPull = movementPull('steps-intraday', stepsSeries);
export const distancePull = movementPull('distance-intraday', distanceSeries);
export const floorsPull = movementPull('floors-intraday', floorsSeries);

/** The minutes of a day; undefined when they are not granted: Fitbit then returns 403 or omits them. */
async function pullCalories(http: ProviderHttp, day: string, basalOfDay: number, context: MapContext): Promise<PulledPage | undefined> {
  try {
    const response = await http.get(`${activities}/calories/date/${day}/1d/1min.json`);
    const mapped = mapCaloriesActive(response.body, basalOfDay, day, context);
    return mapped === undefined ? undefined : pageOf(response, mapped);
  } catch (error) {
    if (isAppError(error) && error.code === 'provider_scope_missing') return undefined;
    throw error;
  }
}

async function pullTotalCalories(http: ProviderHttp, day: string, context: MapContext): Promise<PulledPage> {
  const response = await http.get(`${activities}/activityCalories/date/${day}/${day}.json`);
  return pageOf(response, mapCaloriesActiveTotals(response.body, context));
}

export const caloriesPull: PullSpec = {
  name: 'calories-intraday',
  resources: ['calories_active'],
  requiredScopes: ['activity'],
  // One response contains the basal rate of all days; the minutes take one call per day.
  chunkDays: 14,
  // A fixed depth for the activity time series.
  backfillDays: 14,
  rereadDays: 3,
  collections: ['activities'],
  deletions: 'by_absence',
  async *pull({ http, user, window }) {
    const context = createMapContext(user);
    const basal = await http.get(`${activities}/caloriesBMR/date/${addDays(window.startDate, -1)}/${window.endDate}.json`);
    const quarantined: Quarantined[] = [];
    const basalByDay = readBasalByDay(basal.body, quarantined);
    if (quarantined.length > 0) yield { version: basal.version, records: [], quarantined };
    // Newest first, as in all pulls.
    for (const day of eachDay(window).toReversed()) {
      // The previous day's rate: that day is over, so the rate does not change during the current day. The day's own rate is for the
      // first day of an account. Without any rate, movement cannot be distinguished from rest.
      const basalOfDay = basalByDay.get(addDays(day, -1)) || basalByDay.get(day) || 0;
      const minutes = basalOfDay > 0 ? await pullCalories(http, day, basalOfDay, context) : undefined;
      yield minutes ?? (await pullTotalCalories(http, day, context));
    }
  },
};

export const caloriesBasalPull = rangePull({
  name: 'calories-basal',
  resources: ['calories_basal'],
  requiredScopes: ['activity'],
  chunkDays: 90,
  collections: ['activities'],
  path: (start, end) => `${activities}/caloriesBMR/date/${start}/${end}.json`,
  map: mapCaloriesBasal,
  deletions: { unseen: 'A day keeps its figure for as long as the account does.' },
});
