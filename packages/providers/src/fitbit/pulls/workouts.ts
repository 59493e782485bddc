import { historyDaysMax } from '../../kit/history-depth.ts';
import type { PullSpec } from '../../kit/types.ts';
import { createMapContext, pageOf } from '../map-context.ts';
import { mapWorkouts } from '../map-workouts.ts';
import { listPages } from './list-pages.ts';

export const workoutsPull: PullSpec = {
  name: 'workouts',
  resources: ['workouts'],
  requiredScopes: ['activity'],
  chunkDays: 90,
  backfillDays: 90,
  reachDays: historyDaysMax,
  rereadDays: 3,
  collections: ['activities'],
  async *pull({ http, user, window }) {
    const context = createMapContext(user);
    for await (const answer of listPages(http, '/1/user/-/activities/list.json', window, 100)) {
      const mapped = mapWorkouts(answer.body, window, context);
      yield pageOf(answer, mapped);
      if (mapped.isPast) return;
    }
  },
};
