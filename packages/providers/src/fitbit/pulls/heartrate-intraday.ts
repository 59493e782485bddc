import { eachDay } from '../../kit/time/days.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { createMapContext, pageOf } from '../context/map-context.ts';
import { mapHeartrateDay } from '../mappers/map-heartrate.ts';

export const heartratePull: PullSpec = {
  name: 'heartrate-intraday',
  resources: ['heartrate'],
  requiredScopes: ['heartrate'],
  chunkDays: 1,
  // A fixed depth for heart rate.
  backfillDays: 14,
  rereadDays: 3,
  collections: ['activities'],
  deletions: 'by_absence',
  async *pull({ http, user, window }) {
    const context = createMapContext(user);
    for (const day of eachDay(window)) {
      // `1sec` returns every reading, about one every five seconds, for one call, the same as minutes.
      const response = await http.get(`/1/user/-/activities/heart/date/${day}/1d/1sec.json`);
      yield pageOf(response, mapHeartrateDay(response.body, day, context));
    }
  },
};
