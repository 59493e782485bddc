import { historyDaysMax } from '../../kit/history-depth.ts';
import type { PullSpec } from '../../kit/types.ts';
import { asPage, readCollection, readObject } from '../collections.ts';
import { mapWorkouts, removeWorkout } from '../map-workouts.ts';
import { createContext } from '../whoop.ts';

const path = '/v2/activity/workout';

export const workoutsPull: PullSpec = {
  name: 'workouts',
  resources: ['workouts'],
  requiredScopes: ['read:workout'],
  chunkDays: 30,
  backfillDays: 180,
  reachDays: historyDaysMax,
  rereadDays: 3,
  deletions: { unseen: 'Deletions are pushed.' },
  collections: ['workout'],
  async *pull({ http, user, window }) {
    const context = createContext(user);
    for await (const answer of readCollection(http, path, window)) {
      yield { version: answer.version, ...mapWorkouts(answer.body, window, context) };
    }
  },
  async *pullObject({ http, user, objectId }) {
    const answer = await readObject(http, `${path}/${encodeURIComponent(objectId)}`);
    if (answer !== null) yield { version: answer.version, ...mapWorkouts(asPage(answer), null, createContext(user)) };
  },
  removeObject: ({ user, objectId }) => removeWorkout(objectId, createContext(user)),
};
