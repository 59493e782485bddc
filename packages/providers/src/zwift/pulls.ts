import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { historyDaysMax } from '../kit/history-depth.ts';
import { JsonNode, readEach } from '../kit/json-node.ts';
import { readIfThere } from '../kit/read-if-there.ts';
import { readPages } from '../kit/read-pages.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import type { ProviderAnswer, ProviderHttp, PulledPage, PullSpec, PullWindow } from '../kit/types.ts';
import { dayOfItem, readListed, type ListedActivity } from './activity.ts';
import { mapProfile } from './map-profile.ts';
import { mapStream } from './map-stream.ts';
import { mapWorkout } from './map-workout.ts';
import { createContext } from './zwift.ts';

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
  const pages = readPages<number>({
    first: 0,
    read: (start) => http.get(`/api/profiles/${id}/activities`, { start: String(start), limit: String(itemsPerPage) }),
    next(answer, start) {
      const items = itemsOf(answer);
      const isBefore = items.every((item) => (dayOfItem(item, context) ?? window.startDate) < window.startDate);
      return items.length === 0 || isBefore ? null : start + itemsPerPage;
    },
  });
  for await (const answer of pages) {
    const quarantined: Quarantined[] = [];
    const listed = readEach('workouts', new JsonNode(answer.body), quarantined, (item) => readListed(item, context));
    // Of several answers the page has the version of the oldest one.
    yield { records: [], quarantined, version: answer.version };
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
    deletions: { unseen: 'Pages are read from the newest activity on, and what shifts between two of them would look deleted.' },
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
