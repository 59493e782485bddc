import { addDays } from '../../kit/days.ts';
import { JsonNode } from '../../kit/json-node.ts';
import type { PullSpec } from '../../kit/types.ts';
import { createMapContext, pageOf } from '../map-context.ts';
import { mapWorkouts } from '../map-workouts.ts';

// 100 workouts a page; who has more than 5,000 in one window gets the oldest of them.
const pagesMax = 50;

export const workoutsPull: PullSpec = {
  name: 'workouts',
  resources: ['workouts'],
  requiredScopes: ['activity'],
  chunkDays: 90,
  backfillDays: 90,
  rereadDays: 3,
  collections: ['activities'],
  async *pull({ http, user, window }) {
    const context = createMapContext(user);
    // `afterDate` leaves its own day out.
    const query = { afterDate: addDays(window.startDate, -1), sort: 'asc', limit: '100', offset: '0' };
    let answer = await http.get('/1/user/-/activities/list.json', query);
    for (let page = 1; ; page++) {
      const mapped = mapWorkouts(answer.body, window, context);
      yield pageOf(answer, mapped);
      // Other offsets than 0 are refused: only the link that Fitbit gives leads on.
      const next = new JsonNode(answer.body).at('pagination').at('next').value;
      if (mapped.isPast || typeof next !== 'string' || next === '' || page >= pagesMax) return;
      answer = await http.get(next);
    }
  },
};
