import { isAppError } from '@pulsewire/kernel';
import { eachDay } from '../../../kit/time/days.ts';
import type { ProviderHttp, PulledPage, PullSpec } from '../../../kit/types/connector.ts';
import { createMapContext, pageOf, type MapContext } from '../../context/map-context.ts';
import {
  distanceSeries,
  floorsSeries,
  mapMovementDay,
  mapMovementTotals,
  stepsSeries,
  type MovementSeries,
} from '../../mappers/activity/map-movement.ts';

async function pullDay(http: ProviderHttp, movement: MovementSeries, day: string, context: MapContext): Promise<PulledPage> {
  const path = `/1/user/-/activities/${movement.series}/date`;
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
      for (const day of eachDay(window)) yield await pullDay(http, movement, day, context);
    },
  };
}

export const stepsPull = movementPull('steps-intraday', stepsSeries);
export const distancePull = movementPull('distance-intraday', distanceSeries);
export const floorsPull = movementPull('floors-intraday', floorsSeries);
