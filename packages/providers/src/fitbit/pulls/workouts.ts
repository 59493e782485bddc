import type { Quarantined, Summary } from '@pulsewire/contract';
import { historyDaysMax } from '../../kit/history-depth.ts';
import { providerError } from '../../kit/http/provider-error.ts';
import { readUnlessMissing } from '../../kit/http/read-optional.ts';
import { mapTcxStream } from '../../kit/records/tcx-stream.ts';
import type { ProviderHttp, PulledPage, PullSpec } from '../../kit/types/connector.ts';
import { allSummaries } from '../context/all-of.ts';
import { createMapContext, pageOf } from '../context/map-context.ts';
import { mapWorkouts } from '../mappers/map-workouts.ts';
import { listPages } from './paging.ts';

const shape = { logs: 'activities', time: 'startTime' };

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
    for await (const { response, complete } of listPages(http, '/1/user/-/activities/list.json', shape, window, 100)) {
      const mapped = mapWorkouts(response.body, window, context);
      const allOf = complete ? allSummaries('workouts', ['watch', 'app'], complete) : [];
      yield pageOf(response, { ...mapped, allOf });
      if (mapped.isPast) return;
    }
  },
};

/** Null for a workout that has no track, or that was deleted after it was listed: the tracks of the others do not depend on it. */
async function pullStream(http: ProviderHttp, workout: Summary): Promise<PulledPage | null> {
  const logId = String(workout.data['provider_id']);
  const response = await readUnlessMissing(http, `/1/user/-/activities/${logId}.tcx`, undefined, { accepts: 'any' });
  if (response === null) return null;
  const quarantined: Quarantined[] = [];
  const stream = mapTcxStream(response.bytes.toString('utf8'), workout, quarantined);
  // A proxy in front of Fitbit responded: retry, and do not store a workout without a track.
  if (stream === undefined) throw providerError('provider_transient', { status: response.status, reason: 'not_tcx' });
  return { version: response.version, records: stream === null ? [] : [stream], quarantined };
}

/** One call per workout, so it runs after other pulls and has a shorter history. */
export const workoutStreamsPull: PullSpec = {
  name: 'workout-streams',
  resources: ['workout_stream'],
  requiredScopes: ['activity', 'location'],
  chunkDays: 14,
  backfillDays: 28,
  rereadDays: 2,
  collections: ['activities'],
  runsLast: true,
  deletions: { unseen: 'A stream goes with its workout.' },
  async *pull({ http, user, window }) {
    const context = createMapContext(user);
    for await (const { response } of listPages(http, '/1/user/-/activities/list.json', shape, window, 100)) {
      // Unreadable workouts are quarantined by the workouts pull itself.
      const { records, isPast } = mapWorkouts(response.body, window, context);
      for (const record of records) {
        const page = record.kind === 'summary' && record.source.type === 'watch' ? await pullStream(http, record) : null;
        if (page) yield page;
      }
      if (isPast) return;
    }
  },
};
