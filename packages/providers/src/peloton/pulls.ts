import type { Quarantined } from '@pulsewire/contract';
import { pullDefaults, createProfilePull, completeDays } from '../kit/pull-presets.ts';
import { isWithin } from '../kit/records/left-out.ts';
import { withZonesOfStreams } from '../kit/records/heart-rate-zones.ts';
import { readOptional } from '../kit/http/read-optional.ts';
import { readNewestFirst } from '../kit/http/read-newest-first.ts';
import { namesOf, summariesOn } from '../kit/records/complete-ranges.ts';
import { recordedBy } from '../kit/records/recorded-by.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import type { ProviderHttp, PulledPage, PullSpec, PullWindow } from '../kit/types/connector.ts';
import { readEach } from '../kit/values/json-node.ts';
import { readGraph } from './graph.ts';
import { mapProfile } from './map-profile.ts';
import { mapStream } from './map-stream.ts';
import { mapWorkout } from './map-workout.ts';
import { anySource, createContext } from './peloton.ts';
import { dayOfItem, readListed } from './workout.ts';

const itemsPerPage = 50;
export const historyDays = 180;

async function* pullWorkouts(http: ProviderHttp, id: string, window: PullWindow, context: RecordMaker): AsyncGenerator<PulledPage> {
  const pages = readNewestFirst({
    first: 0,
    step: 1,
    itemsPerPage,
    window,
    read: (page) =>
      http.get(`/api/user/${encodeURIComponent(id)}/workouts`, {
        page: String(page),
        limit: String(itemsPerPage),
        sort_by: '-created',
        joins: 'ride',
      }),
    listOf: (body) => body.at('data'),
    dayOf: (item) => dayOfItem(item, context),
  });
  for await (const { response, list, isWhole } of pages) {
    const quarantined: Quarantined[] = [];
    const listed = readEach('workouts', list, quarantined, (item) => readListed(item, context));
    const named = Array.isArray(list.value)
      ? list.items().flatMap((item) => anySource.flatMap((source) => namesOf(item.at('id'), source, context, 'workouts')))
      : [];
    yield { records: [], quarantined, version: response.version, partOf: isWhole ? summariesOn(window, anySource, 'workouts') : [], named };
    for (const workout of listed.filter(({ day }) => isWithin(day, window))) {
      const aside: Quarantined[] = [];
      const graph = readGraph((await readOptional(http, `/api/workout/${workout.id}/performance_graph`, { every_n: '1' }))?.body);
      const summary = mapWorkout(workout, graph, context, aside);
      const stream = mapStream(workout, graph, context, aside);
      // A page of several responses has the version of the oldest.
      const records = withZonesOfStreams(
        context.user,
        recordedBy(
          workout.device,
          [summary, stream].filter((record) => record !== undefined),
        ),
      );
      yield { records, quarantined: aside, version: response.version };
    }
  }
}

export const pelotonPulls: readonly PullSpec[] = [
  {
    ...completeDays,
    ...pullDefaults,
    name: 'workouts',
    resources: ['workouts', 'workout_stream'],
    chunkDays: 30,
    backfillDays: historyDays,
    listsBeyondWindow: true,
    pull: ({ http, user, window }) => pullWorkouts(http, user.providerUserId, window, createContext(user)),
  },
  createProfilePull({ path: '/api/me', map: (body, user) => mapProfile(body, createContext(user)) }),
];
