import type { Summary } from '@pulsewire/contract';
import { providerError } from '../../../kit/http/provider-error.ts';
import type { ProviderHttp, PulledPage, PullSpec } from '../../../kit/types/connector.ts';
import { createMapContext } from '../../context/map-context.ts';
import { mapWorkoutStream } from '../../mappers/activity/map-workout-stream.ts';
import { mapWorkouts } from '../../mappers/activity/map-workouts.ts';
import { listPages } from '../list-pages.ts';

async function pullStream(http: ProviderHttp, workout: Summary): Promise<PulledPage> {
  const logId = String(workout.data['provider_id']);
  const answer = await http.get(`/1/user/-/activities/${logId}.tcx`, undefined, { accepts: 'any' });
  const stream = mapWorkoutStream(answer.bytes.toString('utf8'), workout);
  // Something in front of Fitbit answered: to be tried again, not to be stored as a workout without a track.
  if (stream === undefined) throw providerError('provider_transient', { status: answer.status, reason: 'not_tcx' });
  return { version: answer.version, records: stream === null ? [] : [stream], quarantined: [] };
}

/** A call for each workout, so it comes late among the pulls and goes less far back. */
export const workoutStreamsPull: PullSpec = {
  name: 'workout-streams',
  resources: ['workout_stream'],
  requiredScopes: ['activity', 'location'],
  chunkDays: 14,
  backfillDays: 28,
  rereadDays: 2,
  collections: ['activities'],
  comesLast: true,
  deletions: { unseen: 'A stream goes with its workout.' },
  async *pull({ http, user, window }) {
    const context = createMapContext(user);
    for await (const { answer } of listPages(http, '/1/user/-/activities/list.json', window, 100)) {
      // What cannot be read is set aside by the pull of the workouts themselves.
      const { records, isPast } = mapWorkouts(answer.body, window, context);
      for (const record of records) if (record.kind === 'summary' && record.source.type === 'watch') yield await pullStream(http, record);
      if (isPast) return;
    }
  },
};
