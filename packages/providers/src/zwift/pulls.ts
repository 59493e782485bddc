import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { pullDefaults, createProfilePull, completeDays } from '../kit/pull-presets.ts';
import { isWithin } from '../kit/records/left-out.ts';
import { withZonesOfStreams } from '../kit/records/heart-rate-zones.ts';
import { incompleteVersion } from '../kit/records/incomplete-version.ts';
import { namesIn, summariesOn } from '../kit/records/complete-ranges.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import { readOptional } from '../kit/http/read-optional.ts';
import { readNewestFirst } from '../kit/http/read-newest-first.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import type { ProviderHttp, PulledPage, PullSpec, PullWindow } from '../kit/types/connector.ts';
import { dayOfItem, readListed, type ListedActivity } from './activity.ts';
import { mapProfile } from './map-profile.ts';
import { mapStream } from './map-stream.ts';
import { mapWorkout } from './map-workout.ts';
import { app, createContext } from './zwift.ts';

const itemsPerPage = 20;
export const historyDays = 270;

interface ReadActivity {
  readonly records: readonly CanonicalRecord[];
  /** The page or the file that it names could not be read. */
  readonly isCut: boolean;
}

/** An activity with its page and its file. */
async function readActivity(
  http: ProviderHttp,
  activity: ListedActivity,
  context: RecordMaker,
  quarantined: Quarantined[],
): Promise<ReadActivity> {
  const page = await readOptional(http, `/api/activities/${activity.id}`, { fetchSnapshots: 'true' });
  const workout = mapWorkout(activity, page?.body, context, quarantined);
  const url = new JsonNode(page?.body).at('fitnessData').at('fullDataUrl').value;
  if (workout === undefined) return { records: [], isCut: false };
  if (typeof url !== 'string' || url === '') return { records: [workout], isCut: page === null };
  const file = await readOptional(http, url);
  const stream = file === null ? undefined : mapStream(file.body, activity, context, quarantined);
  const records = stream === undefined ? [workout] : withZonesOfStreams(context.user, [workout, stream]);
  return { records, isCut: file === null };
}

/** The list is sorted newest first and cannot be filtered by date: it is followed until a whole page is before the window. */
async function* pullWorkouts(http: ProviderHttp, id: string, window: PullWindow, context: RecordMaker): AsyncGenerator<PulledPage> {
  const pages = readNewestFirst({
    first: 0,
    step: itemsPerPage,
    itemsPerPage,
    window,
    read: (start) => http.get(`/api/profiles/${id}/activities`, { start: String(start), limit: String(itemsPerPage) }),
    listOf: (body) => body,
    dayOf: (item) => dayOfItem(item, context),
  });
  for await (const { response, list, isWhole } of pages) {
    const quarantined: Quarantined[] = [];
    const listed = readEach('workouts', list, quarantined, (item) => readListed(item, context));
    // A page of several responses has the version of the oldest.
    const partOf = isWhole ? summariesOn(window, app, 'workouts') : [];
    const named = namesIn(list, 'id_str', app, context, 'workouts');
    yield { records: [], quarantined, version: response.version, partOf, named };
    for (const activity of listed.filter(({ day }) => isWithin(day, window))) {
      const aside: Quarantined[] = [];
      const { records, isCut } = await readActivity(http, activity, context, aside);
      yield { records, quarantined: aside, version: isCut ? incompleteVersion : response.version };
    }
  }
}

export const zwiftPulls: readonly PullSpec[] = [
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
  createProfilePull({
    path: ({ providerUserId }) => `/api/profiles/${providerUserId}`,
    map: (body, user) => mapProfile(body, createContext(user)),
  }),
];
