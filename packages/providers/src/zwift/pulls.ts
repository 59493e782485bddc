import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { namesIn, summariesOn } from '../kit/records/complete-ranges.ts';
import { historyDaysMax } from '../kit/history-depth.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import { readIfThere } from '../kit/http/read-if-there.ts';
import { readPages } from '../kit/http/read-pages.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import type { ProviderAnswer, ProviderHttp, PulledPage, PullSpec, PullWindow } from '../kit/types/connector.ts';
import { dayOfItem, readListed, type ListedActivity } from './activity.ts';
import { mapProfile } from './map-profile.ts';
import { mapStream } from './map-stream.ts';
import { mapWorkout } from './map-workout.ts';
import { app, createContext } from './zwift.ts';

const itemsPerPage = 20;
export const historyDays = 270;

/** An activity with its page and its file. */
async function readActivity(
  http: ProviderHttp,
  activity: ListedActivity,
  context: RecordMaker,
  quarantined: Quarantined[],
): Promise<readonly CanonicalRecord[]> {
  const page = await readIfThere(http, `/api/activities/${activity.id}`, { fetchSnapshots: 'true' });
  const workout = mapWorkout(activity, page?.body, context, quarantined);
  const url = new JsonNode(page?.body).at('fitnessData').at('fullDataUrl').value;
  if (workout === undefined || typeof url !== 'string' || url === '') return workout === undefined ? [] : [workout];
  const file = await readIfThere(http, url);
  const stream = file === null ? undefined : mapStream(file.body, activity, context, quarantined);
  return stream === undefined ? [workout] : [workout, stream];
}

/** The list is the newest first and knows no dates: it is followed until a whole page lies before the window. */
async function* pullWorkouts(http: ProviderHttp, id: string, window: PullWindow, context: RecordMaker): AsyncGenerator<PulledPage> {
  const itemsOf = ({ body }: ProviderAnswer) => (Array.isArray(body) ? new JsonNode(body).items() : []);
  const isPast = (items: readonly JsonNode[]) => items.every((item) => (dayOfItem(item, context) ?? window.startDate) < window.startDate);
  const pages = readPages<number>({
    first: 0,
    read: (start) => http.get(`/api/profiles/${id}/activities`, { start: String(start), limit: String(itemsPerPage) }),
    next(answer, start) {
      const items = itemsOf(answer);
      return items.length === 0 || isPast(items) ? null : start + itemsPerPage;
    },
  });
  let isFirst = true;
  for await (const answer of pages) {
    const quarantined: Quarantined[] = [];
    const listed = readEach('workouts', new JsonNode(answer.body), quarantined, (item) => readListed(item, context));
    // Of several answers the page has the version of the oldest one.
    // Pages are counted from the newest activity, and may shift while they are read: only a first one that reaches beyond the window counts.
    const items = itemsOf(answer);
    const isWhole = isFirst && Array.isArray(answer.body) && (items.length < itemsPerPage || isPast(items.slice(-1)));
    isFirst = false;
    const partOf = isWhole ? summariesOn(window, app, 'workouts') : [];
    const named = namesIn(new JsonNode(answer.body), 'id_str', app, context, 'workouts');
    yield { records: [], quarantined, version: answer.version, partOf, named };
    for (const activity of listed.filter(({ day }) => day >= window.startDate && day <= window.endDate)) {
      const aside: Quarantined[] = [];
      const records = await readActivity(http, activity, context, aside);
      yield { records, quarantined: aside, version: answer.version };
    }
  }
}

export const zwiftPulls: readonly PullSpec[] = [
  {
    name: 'workouts',
    resources: ['workouts', 'workout_stream'],
    requiredScopes: [],
    chunkDays: 30,
    backfillDays: historyDays,
    reachDays: historyDaysMax,
    rereadDays: 3,
    deletions: 'by_absence',
    collections: [],
    pull: ({ http, user, window }) => pullWorkouts(http, user.providerUserId, window, createContext(user)),
  },
  {
    name: 'profile',
    resources: ['profile'],
    requiredScopes: [],
    chunkDays: historyDays,
    backfillDays: 1,
    rereadDays: 1,
    deletions: { unseen: 'There is one profile for as long as there is an account.' },
    collections: [],
    async *pull({ http, user }) {
      const answer = await http.get(`/api/profiles/${user.providerUserId}`);
      yield { ...mapProfile(answer.body, createContext(user)), version: answer.version };
    },
  },
];
