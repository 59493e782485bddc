import { eachDay } from '../../kit/days.ts';
import { historyDaysMax } from '../../kit/history-depth.ts';
import type { PullSpec } from '../../kit/types.ts';
import { createMapContext, pageOf } from '../map-context.ts';
import { mapFoods } from '../map-foods.ts';

export const foodsPull: PullSpec = {
  name: 'foods',
  resources: ['meal', 'water'],
  requiredScopes: ['nutrition'],
  chunkDays: 1,
  backfillDays: 90,
  reachDays: historyDaysMax,
  rereadDays: 3,
  collections: ['foods'],
  async *pull({ http, user, window }) {
    const context = createMapContext(user);
    for (const day of eachDay(window)) {
      // Its summary has the day's water too, so the water log is not asked.
      const answer = await http.get(`/1/user/-/foods/log/date/${day}.json`);
      yield pageOf(answer, mapFoods(answer.body, day, context));
    }
  },
};
