import type { Quarantined } from '@pulsewire/contract';
import { errorCode } from '@pulsewire/kernel';
import { createProfilePull } from '../kit/pull-presets.ts';
import { isWithin } from '../kit/records/left-out.ts';
import { historyDaysMax } from '../kit/history-depth.ts';
import { readOptional, readUnlessMissing } from '../kit/http/read-optional.ts';
import { readPages } from '../kit/http/read-pages.ts';
import { readFitWorkout, type FitWorkout } from '../kit/fit/fit-workout.ts';
import { incompleteVersion } from '../kit/records/incomplete-version.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { addDays, msToDay } from '../kit/time/days.ts';
import { parseInstant } from '../kit/time/time.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import type { ProviderHttp, ProviderResponse, PulledPage, PullSpec, PullWindow } from '../kit/types/connector.ts';
import { mapUser } from './mappers/map-user.ts';
import { mapWorkout, removeWorkout } from './mappers/map-workout.ts';
import { createContext } from './wahoo.ts';
import { fileUrlOf, hasSummary, listedStart, readDone, readStart, type DoneWorkout } from './workout.ts';

const perPage = 100;
const pagesMax = 200;
/** How much earlier than it was done a workout may have been planned: the list is in the order of plans. */
const plannedEarlierDays = 7;
const workoutsPath = '/v1/workouts';
const unseen =
  'The list is in the order of planned starts, which may be far from the real ones. A push about a workout that is gone removes it.';

async function readBytes(http: ProviderHttp, url: string): Promise<Buffer | null> {
  const read = (options: { readonly isAnonymous?: true }) => readOptional(http, url, undefined, { accepts: 'any', ...options });
  try {
    return (await read({ isAnonymous: true }))?.bytes ?? null;
  } catch (error) {
    if (errorCode(error) !== 'provider_token_expired') throw error;
    return (await read({}))?.bytes ?? null;
  }
}

/** The file of a workout; null when there is none. One that is gone, on another host, or not a FIT file is reported. */
async function readFile(http: ProviderHttp, done: DoneWorkout, quarantined: Quarantined[]): Promise<FitWorkout | null> {
  const url = fileUrlOf(done);
  if (url === null) return null;
  const bytes = await readBytes(http, url);
  if (bytes === null) {
    quarantined.push({ resource: 'workout_stream', reason: 'missing_field', pointer: '/file' });
    return null;
  }
  return readFitWorkout(bytes, listedStart(done), quarantined) ?? null;
}

async function readWorkout(http: ProviderHttp, done: DoneWorkout, version: bigint, context: RecordMaker): Promise<PulledPage> {
  const quarantined: Quarantined[] = [];
  const file = await readFile(http, done, quarantined);
  const isWhole = file !== null || fileUrlOf(done) === null;
  return { version: isWhole ? version : incompleteVersion, records: mapWorkout(done, file, context, quarantined), quarantined };
}

/** The day of the plan, or null for an item without one. */
function plannedDay(item: JsonNode): string | null {
  const { value } = item.at('starts');
  const time = typeof value === 'string' ? parseInstant(value) : undefined;
  return time === undefined ? null : msToDay(time.ms);
}

function itemsOf({ body }: ProviderResponse): JsonNode[] {
  return new JsonNode(body).at('workouts').items();
}

/** From the latest plan back to some days before the window. */
function readList(http: ProviderHttp, { startDate }: PullWindow): AsyncGenerator<ProviderResponse> {
  const first = addDays(startDate, -plannedEarlierDays);
  return readPages<number>({
    first: 1,
    pagesMax,
    read: (page) => http.get(workoutsPath, { page: String(page), per_page: String(perPage) }),
    next(response, page) {
      const list = new JsonNode(response.body).at('workouts').value;
      const days = Array.isArray(list) ? itemsOf(response).map(plannedDay) : [];
      const isPast = days.some((day) => day !== null && day < first);
      return days.length === 0 || isPast ? null : page + 1;
    },
  });
}

/**
 * Done workouts that the list dates within the window; their files never move them to another one, because a device's clock may be
 * wrong. Some lists leave out the summaries, or the files of workouts that have one: then the workout is read by itself, so that a poorer
 * copy never replaces what was made from a file.
 */
async function* readWindow(
  http: ProviderHttp,
  window: PullWindow,
  context: RecordMaker,
  now: Date | undefined,
): AsyncGenerator<PulledPage> {
  const today = now ? msToDay(now.getTime()) : window.endDate;
  for await (const response of readList(http, window)) {
    const quarantined: Quarantined[] = [];
    const list = new JsonNode(response.body).at('workouts');
    const found = readEach(
      'workouts',
      list,
      quarantined,
      (item): { readonly id: string; readonly done: DoneWorkout | null } | undefined => {
        const id = item.at('id').id();
        if (hasSummary(item)) {
          const done = readDone(item);
          return done && isWithin(readStart(done, null, context).day, window)
            ? { id, done: fileUrlOf(done) === null ? null : done }
            : undefined;
        }
        const planned = msToDay(item.at('starts').time(parseInstant).ms);
        // A plan of a day to come is no workout yet.
        return planned <= today && isWithin(planned, window) ? { id, done: null } : undefined;
      },
    );
    yield { version: response.version, records: [], quarantined };
    for (const { id, done } of found) {
      const page = done ? await readWorkout(http, done, response.version, context) : await readOne(http, id, context);
      if (page) yield page;
    }
  }
}

/** One workout; null when it is gone. */
async function readOne(http: ProviderHttp, id: string, context: RecordMaker): Promise<PulledPage | null> {
  const response = await readUnlessMissing(http, `${workoutsPath}/${encodeURIComponent(id)}`);
  if (!response) return null;
  const quarantined: Quarantined[] = [];
  const [done] = readEach('workouts', new JsonNode([response.body]), quarantined, readDone);
  return done ? readWorkout(http, done, response.version, context) : { version: response.version, records: [], quarantined };
}

/** The workout that a push names. Pushes are sent for deletions too, and a workout that cannot be read any more is the only sign of one. */
async function* readPushed(http: ProviderHttp, id: string, context: RecordMaker): AsyncGenerator<PulledPage> {
  const page = await readOne(http, id, context);
  if (page) {
    yield page;
    return;
  }
  const { body, version } = await http.get(workoutsPath, { page: '1', per_page: String(perPage) });
  const quarantined: Quarantined[] = [];
  const listed = readEach('workouts', new JsonNode(body).at('workouts'), quarantined, (item) => item.at('id').id());
  const isGone = quarantined.length === 0 && !listed.includes(id);
  yield { version, records: isGone ? removeWorkout(id, context) : [], quarantined };
}

export const wahooPulls: readonly PullSpec[] = [
  {
    name: 'workouts',
    resources: ['workouts', 'workout_stream'],
    requiredScopes: ['user_read', 'workouts_read'],
    chunkDays: 30,
    backfillDays: 180,
    reachDays: historyDaysMax,
    rereadDays: 3,
    deletions: { unseen },
    collections: ['workout'],
    pull: ({ http, user, window, now }) => readWindow(http, window, createContext(user), now),
    pullObject: ({ http, user, objectId }) => readPushed(http, objectId, createContext(user)),
  },
  createProfilePull({
    name: 'user',
    resources: ['profile', 'body', 'weight'],
    requiredScopes: ['user_read'],
    path: '/v1/user',
    map: (body, user) => mapUser(body, createContext(user)),
  }),
];
