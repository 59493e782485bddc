import { historyDaysMax } from '../../kit/history-depth.ts';
import { countDays, eachDay, splitWindow } from '../../kit/time/days.ts';
import type { ProviderHttp, PulledPage, PullSpec, PullUser, PullWindow } from '../../kit/types/connector.ts';
import { createMapContext, pageOf } from '../context/map-context.ts';
import { activitySeries, mapActivityDay, mapActivityRange, type ActivityField } from '../mappers/map-activity.ts';

const chunkDays = 90;
/** `activityCalories` returns at most this many days per call; the other series return years. */
const caloriesDaysMax = 30;

// The range series take nine calls for up to 30 days, the day summary one call per day. So the day summary is cheaper for the three days
// that a live pull rereads, and the series are for history: 11 calls for 90 days instead of 90.
const rangePaysFromDays = Object.keys(activitySeries).length + 1;

async function* pullByDay(http: ProviderHttp, user: PullUser, window: PullWindow): AsyncIterable<PulledPage> {
  const context = createMapContext(user);
  for (const day of eachDay(window)) {
    const response = await http.get(`/1/user/-/activities/date/${day}.json`);
    yield pageOf(response, mapActivityDay(response.body, day, context));
  }
}

async function pullByRange(http: ProviderHttp, user: PullUser, days: PullWindow): Promise<PulledPage> {
  const hasHeart = user.grantedScopes.includes('heartrate');
  const fields = (Object.keys(activitySeries) as ActivityField[]).filter((field) => hasHeart || field !== 'restingHeartRate');
  const responses: Partial<Record<ActivityField, unknown[]>> = {};
  // A page of several responses has the version of the oldest, so that data which meanwhile arrived by another route takes precedence.
  let version: bigint | undefined;
  for (const field of fields) {
    for (const { startDate, endDate } of splitWindow(days, field === 'activityCalories' ? caloriesDaysMax : chunkDays)) {
      const response = await http.get(`/1/user/-/activities/${activitySeries[field]}/date/${startDate}/${endDate}.json`);
      (responses[field] ??= []).push(response.body);
      version ??= response.version;
    }
  }
  return { version: version ?? 0n, ...mapActivityRange(responses, createMapContext(user)) };
}

export const activityPull: PullSpec = {
  name: 'activity',
  resources: ['activity'],
  requiredScopes: ['activity'],
  chunkDays,
  backfillDays: 90,
  reachDays: historyDaysMax,
  rereadDays: 3,
  collections: ['activities'],
  deletions: { unseen: 'A day keeps its totals; what was deleted lowers them.' },
  async *pull({ http, user, window }) {
    for (const piece of splitWindow(window, chunkDays)) {
      if (countDays(piece) < rangePaysFromDays) yield* pullByDay(http, user, piece);
      else yield await pullByRange(http, user, piece);
    }
  },
};
