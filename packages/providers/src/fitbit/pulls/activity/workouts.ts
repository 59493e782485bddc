import { historyDaysMax } from '../../../kit/history-depth.ts';
import type { PullSpec } from '../../../kit/types/connector.ts';
import { allSummaries } from '../../context/all-of.ts';
import { createMapContext, pageOf } from '../../context/map-context.ts';
import { mapWorkouts } from '../../mappers/activity/map-workouts.ts';
import { listPages } from '../list-pages.ts';

export const workoutsPull: PullSpec = {
  name: 'workouts',
  resources: ['workouts'],
  requiredScopes: ['activity'],
  chunkDays: 90,
  backfillDays: 90,
  reachDays: historyDaysMax,
  rereadDays: 3,
  collections: ['activities'],
  deletions: 'by_absence',
  async *pull({ http, user, window }) {
    const context = createMapContext(user);
    for await (const { response, isWhole } of listPages(http, '/1/user/-/activities/list.json', window, 100)) {
      const mapped = mapWorkouts(response.body, window, context);
      const allOf = isWhole ? allSummaries('workouts', ['watch', 'app'], window) : [];
      yield pageOf(response, { ...mapped, allOf });
      if (mapped.isPast) return;
    }
  },
};
