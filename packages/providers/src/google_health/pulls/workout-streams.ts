import type { Summary } from '@pulsewire/contract';
import { providerError } from '../../kit/http/provider-error.ts';
import { mapTcxStream } from '../../kit/records/tcx-stream.ts';
import type { ProviderHttp, PulledPage, PullSpec } from '../../kit/types/connector.ts';
import { createContext, googleScopes } from '../google-health.ts';
import { mapWorkouts } from '../mappers/map-workouts.ts';
import { ifOffered } from './if-offered.ts';
import { readWorkoutPages } from './workouts.ts';

/** `partialData` also returns the heart rate of workouts without a GPS track. */
const query = { alt: 'media', partialData: 'true' };

async function pullStream(http: ProviderHttp, workout: Summary): Promise<PulledPage | null> {
  const id = encodeURIComponent(String(workout.data['provider_id']));
  const path = `/v4/users/me/dataTypes/exercise/dataPoints/${id}:exportExerciseTcx`;
  // A workout that another app wrote has no file.
  const response = await ifOffered(() => http.get(path, query, { accepts: 'any' }));
  if (response === null) return null;
  const stream = mapTcxStream(response.bytes.toString('utf8'), workout);
  // A proxy responded: retry, and do not store a workout without a track.
  if (stream === undefined) throw providerError('provider_transient', { status: response.status, reason: 'not_tcx' });
  return { version: response.version, records: stream === null ? [] : [stream], quarantined: [] };
}

/** One call per workout, so it runs last and reads less history. */
export const workoutStreamsPull: PullSpec = {
  name: 'workout-streams',
  resources: ['workout_stream'],
  requiredScopes: [googleScopes.activity, googleScopes.location],
  chunkDays: 14,
  backfillDays: 28,
  rereadDays: 5,
  collections: ['exercise'],
  comesLast: true,
  deletions: { unseen: 'A stream is deleted with its workout.' },
  async *pull({ http, user, window }) {
    const context = createContext(user);
    for await (const response of readWorkoutPages(http, window)) {
      // The pull of the workouts sets aside what cannot be read.
      for (const workout of mapWorkouts(response.body, window, context).records) {
        const page = workout.kind === 'summary' ? await pullStream(http, workout) : null;
        if (page !== null) yield page;
      }
    }
  },
};
