import { completeDays } from '../../kit/pull-presets.ts';
import { summariesOn } from '../../kit/records/complete-ranges.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { asPage, readCollection, readObject } from '../collections.ts';
import { mapWorkouts, removeWorkout } from '../mappers/map-workouts.ts';
import { createContext, namedIn, strap } from '../whoop.ts';

const path = '/v2/activity/workout';

export const workoutsPull: PullSpec = {
  ...completeDays,
  name: 'workouts',
  resources: ['workouts'],
  requiredScopes: ['read:workout'],
  chunkDays: 30,
  backfillDays: 180,
  collections: ['workout'],
  async *pull({ http, user, window }) {
    const context = createContext(user);
    for await (const response of readCollection(http, path, window)) {
      const complete = { partOf: summariesOn(window, strap, 'workouts'), named: namedIn(response.body, 'workouts', context) };
      yield { version: response.version, ...mapWorkouts(response.body, window, context), ...complete };
    }
  },
  async *pullObject({ http, user, objectId }) {
    const response = await readObject(http, `${path}/${encodeURIComponent(objectId)}`);
    if (response !== null) yield { version: response.version, ...mapWorkouts(asPage(response), null, createContext(user)) };
  },
  removeObject: ({ user, objectId }) => removeWorkout(objectId, createContext(user)),
};
