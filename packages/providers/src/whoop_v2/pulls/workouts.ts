import { summariesOn } from '../../kit/records/complete-ranges.ts';
import { historyDaysMax } from '../../kit/history-depth.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { asPage, readCollection, readObject } from '../collections.ts';
import { mapWorkouts, removeWorkout } from '../mappers/map-workouts.ts';
import { createContext, namedIn, strap } from '../whoop.ts';

const path = '/v2/activity/workout';

export const workoutsPull: PullSpec = {
  name: 'workouts',
  resources: ['workouts'],
  requiredScopes: ['read:workout'],
  chunkDays: 30,
  backfillDays: 180,
  reachDays: historyDaysMax,
  rereadDays: 3,
  deletions: 'by_absence',
  collections: ['workout'],
  async *pull({ http, user, window }) {
    const context = createContext(user);
    for await (const answer of readCollection(http, path, window)) {
      const complete = { partOf: summariesOn(window, strap, 'workouts'), named: namedIn(answer.body, 'workouts', context) };
      yield { version: answer.version, ...mapWorkouts(answer.body, window, context), ...complete };
    }
  },
  async *pullObject({ http, user, objectId }) {
    const answer = await readObject(http, `${path}/${encodeURIComponent(objectId)}`);
    if (answer !== null) yield { version: answer.version, ...mapWorkouts(asPage(answer), null, createContext(user)) };
  },
  removeObject: ({ user, objectId }) => removeWorkout(objectId, createContext(user)),
};
