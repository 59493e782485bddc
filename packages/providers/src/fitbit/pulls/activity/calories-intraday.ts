import type { Quarantined } from '@pulsewire/contract';
import { isAppError } from '@pulsewire/kernel';
import { addDays, eachDay } from '../../../kit/time/days.ts';
import type { ProviderHttp, PulledPage, PullSpec } from '../../../kit/types/connector.ts';
import { mapCaloriesActive, mapCaloriesActiveTotals, readBasalByDay } from '../../mappers/activity/map-calories.ts';
import { createMapContext, pageOf, type MapContext } from '../../context/map-context.ts';

const path = '/1/user/-/activities';

/** The minutes of a day; undefined when they are not granted: Fitbit then returns 403 or omits them. */
async function pullMinutes(http: ProviderHttp, day: string, basalOfDay: number, context: MapContext): Promise<PulledPage | undefined> {
  try {
    const response = await http.get(`${path}/calories/date/${day}/1d/1min.json`);
    const mapped = mapCaloriesActive(response.body, basalOfDay, day, context);
    return mapped === undefined ? undefined : pageOf(response, mapped);
  } catch (error) {
    if (isAppError(error) && error.code === 'provider_scope_missing') return undefined;
    throw error;
  }
}

async function pullTotal(http: ProviderHttp, day: string, context: MapContext): Promise<PulledPage> {
  const response = await http.get(`${path}/activityCalories/date/${day}/${day}.json`);
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
    const basal = await http.get(`${path}/caloriesBMR/date/${addDays(window.startDate, -1)}/${window.endDate}.json`);
    const quarantined: Quarantined[] = [];
    const basalByDay = readBasalByDay(basal.body, quarantined);
    if (quarantined.length > 0) yield { version: basal.version, records: [], quarantined };
    // Newest first, as in all pulls.
    for (const day of eachDay(window).toReversed()) {
      // The previous day's rate: that day is over, so the rate does not change during the current day. The day's own rate is for the
      // first day of an account. Without any rate, movement cannot be distinguished from rest.
      const basalOfDay = basalByDay.get(addDays(day, -1)) || basalByDay.get(day) || 0;
      const minutes = basalOfDay > 0 ? await pullMinutes(http, day, basalOfDay, context) : undefined;
      yield minutes ?? (await pullTotal(http, day, context));
    }
  },
};
