import { namesIn, summariesOn } from '../../kit/records/complete-ranges.ts';
import { createRecordMaker } from '../../kit/records/record-maker.ts';
import type { ProviderHttp, PulledPage, PullSpec, PullUser } from '../../kit/types/connector.ts';
import { exercisesIn, mapExercise } from '../mappers/map-exercise.ts';
import { listedDaysOf } from '../complete-days.ts';
import { listIn, polarSlug, watch } from '../polar.ts';
import { historyDays } from './clocked-pull.ts';

async function readExercise(http: ProviderHttp, id: string, user: PullUser): Promise<PulledPage> {
  const { body, version } = await http.get(`/exercises/${encodeURIComponent(id)}`, { samples: 'true', route: 'true' });
  return { ...mapExercise(body, createRecordMaker(polarSlug, user)), version };
}

/** Reads the list, then each exercise: a month of samples and routes in one response would be too large. */
export const exercisesPull: PullSpec = {
  name: 'exercises',
  resources: ['workouts', 'workout_stream'],
  requiredScopes: [],
  chunkDays: historyDays,
  backfillDays: historyDays,
  // Each exercise costs a call. Late uploads are found by their day of upload.
  rereadDays: 3,
  deletions: 'by_absence',
  collections: ['EXERCISE'],
  async *pull({ http, user, window, now }) {
    const { body, version } = await http.get('/exercises');
    const { ids, quarantined } = exercisesIn(body, window);
    const days = Array.isArray(body) ? listedDaysOf(window, now) : null;
    const partOf = days === null ? [] : summariesOn(days, watch, 'workouts');
    const named = namesIn(listIn(body), 'id', watch, createRecordMaker(polarSlug, user), 'workouts');
    yield { records: [], quarantined, version, partOf, named };
    for (const id of ids) yield await readExercise(http, id, user);
  },
  async *pullObject({ http, user, objectId }) {
    yield await readExercise(http, objectId, user);
  },
};
