import type { Quarantined } from '@pulsewire/contract';
import { isWithin } from '../../kit/records/left-out.ts';
import { withZonesOfStreams } from '../../kit/records/heart-rate-zones.ts';
import { namesIn, summariesOn } from '../../kit/records/complete-ranges.ts';
import { addDays, utcMidnight } from '../../kit/time/days.ts';
import { historyDaysMax } from '../../kit/history-depth.ts';
import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import { readUnlessMissing } from '../../kit/http/read-optional.ts';
import { readPages } from '../../kit/http/read-pages.ts';
import type { ProviderResponse, ProviderHttp, PulledPage, PullSpec, PullUser, PullWindow } from '../../kit/types/connector.ts';
import { mapActivity, removeActivity } from '../mappers/map-activity.ts';
import { mapStreams, streamKeys } from '../mappers/map-streams.ts';
import { app, createContext, readStart, type StravaContext } from '../strava.ts';

const activitiesPerPage = '200';
const pagesMax = 20;

/** Each activity costs two calls, and the application has few: activities outside the window are not requested. */
async function* readActivity(http: ProviderHttp, id: string, user: PullUser): AsyncGenerator<PulledPage> {
  const context = createContext(user);
  const path = `/activities/${encodeURIComponent(id)}`;
  const activity = await readUnlessMissing(http, path, { include_all_efforts: 'false' });
  if (activity === null) return;
  const { version } = activity;
  const mapped = mapActivity(activity.body, context);
  // Manual activities have no streams, and each call counts.
  const hasStreams = mapped.records.length > 0 && new JsonNode(activity.body).at('manual').value !== true;
  const streams = hasStreams ? await readUnlessMissing(http, `${path}/streams`, { keys: streamKeys, key_by_type: 'true' }) : null;
  const track = streams === null ? null : mapStreams(streams.body, activity.body, context);
  // One page, of the older version: the workout's zones are computed from its stream.
  const records = withZonesOfStreams(user, [...mapped.records, ...(track?.records ?? [])]);
  yield { version, records, quarantined: [...mapped.quarantined, ...(track?.quarantined ?? [])] };
}

/** One more day in both directions: only the offset in an activity determines its local day. */
function readList(http: ProviderHttp, { startDate, endDate }: PullWindow): AsyncGenerator<ProviderResponse> {
  const seconds = (day: string) => String(utcMidnight(day) / 1000);
  const question = { after: seconds(addDays(startDate, -1)), before: seconds(addDays(endDate, 2)), per_page: activitiesPerPage };
  return readPages<number>({
    first: 1,
    pagesMax,
    read: (page) => http.get('/athlete/activities', { ...question, page: String(page) }),
    // Pages may be short in the middle; only an empty one is the end.
    next: ({ body }, page) => (Array.isArray(body) && body.length > 0 ? page + 1 : null),
  });
}

function idsWithin(body: unknown, window: PullWindow, context: StravaContext, quarantined: Quarantined[]): string[] {
  return readEach('workouts', new JsonNode(body), quarantined, (item) => {
    const { day } = readStart(item, context);
    return isWithin(day, window) ? item.at('id').id() : undefined;
  });
}

export const activitiesPull: PullSpec = {
  name: 'activities',
  resources: ['workouts', 'workout_stream'],
  requiredScopes: ['activity:read_all'],
  // A week of two activities a day fits into one window of the quota, which is 100 calls shared by all users.
  chunkDays: 7,
  backfillDays: 14,
  reachDays: historyDaysMax,
  rereadDays: 3,
  deletions: 'by_absence',
  collections: ['activity'],
  async *pull({ http, user, window }) {
    const context = createContext(user);
    let pages = 0;
    for await (const list of readList(http, window)) {
      const items = new JsonNode(list.body);
      const isEnd = Array.isArray(list.body) && list.body.length === 0;
      if (!isEnd) pages += 1;
      const quarantined: Quarantined[] = [];
      const ids = idsWithin(list.body, window, context, quarantined);
      // Pages are numbered: a list of two may have shifted between them. A listed activity that is unreadable is not deleted.
      const partOf = isEnd && pages <= 1 ? summariesOn(window, app, 'workouts') : [];
      const named = namesIn(items, 'id', app, context, 'workouts');
      yield { version: list.version, records: [], quarantined, partOf, named };
      for (const id of ids) yield* readActivity(http, id, user);
    }
  },
  pullObject: ({ http, user, objectId }) => readActivity(http, objectId, user),
  removeObject: ({ user, objectId }) => removeActivity(objectId, createContext(user)),
};
