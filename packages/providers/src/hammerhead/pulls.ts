import type { Quarantined } from '@pulsewire/contract';
import { pullDefaults, completeDays } from '../kit/pull-presets.ts';
import { isWithin } from '../kit/records/left-out.ts';
import { readOptional } from '../kit/http/read-optional.ts';
import { readPages } from '../kit/http/read-pages.ts';
import { namesIn, summariesOn } from '../kit/records/complete-ranges.ts';
import { readFitWorkout } from '../kit/fit/fit-workout.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { addDays, utcMidnight } from '../kit/time/days.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import type { ProviderHttp, ProviderResponse, PulledPage, PullSpec, PullWindow } from '../kit/types/connector.ts';
import { computer, createContext } from './hammerhead.ts';
import { readListed, type ListedRide } from './listed-ride.ts';
import { mapRide } from './map-ride.ts';
import { readDetails } from './read-details.ts';

const itemsPerPage = 50;
export const historyDays = 30;

/** A body may be the list itself. */
const listOf = ({ body }: ProviderResponse) => (Array.isArray(body) ? new JsonNode(body) : new JsonNode(body).at('data'));

/** That the list is newest first rests on one client, so the order of each page decides. */
const isNewestFirst = (rides: readonly ListedRide[]): boolean => (rides[0]?.startMs ?? 0) >= (rides.at(-1)?.startMs ?? 0);
const isBeyond = (rides: readonly ListedRide[], fromMs: number): boolean =>
  isNewestFirst(rides) && rides.some(({ startMs }) => startMs < fromMs);

/** Without dates: followed until a page reaches beyond the window, or to its end where the oldest rides come first. */
function readList(http: ProviderHttp, path: string, fromMs: number): AsyncGenerator<ProviderResponse> {
  const query = { perPage: String(itemsPerPage), search: '', orderBy: 'NEWEST', ascending: 'true' };
  return readPages<number>({
    first: 1,
    read: (page) => http.get(path, { page: String(page), ...query }),
    next(response, page) {
      const rides = readEach('workouts', listOf(response), [], readListed);
      const { value } = listOf(response);
      const isLast = !Array.isArray(value) || value.length < itemsPerPage;
      return isLast || isBeyond(rides, fromMs) ? null : page + 1;
    },
  });
}

async function readRide(http: ProviderHttp, path: string, ride: ListedRide, version: bigint, context: RecordMaker): Promise<PulledPage> {
  const quarantined: Quarantined[] = [];
  const ridePath = `${path}/${encodeURIComponent(ride.id)}`;
  // 404, 409 and 422 mean that there is none.
  const response = await readOptional(http, `${ridePath}/file`, { format: 'fit' }, { accepts: 'any' });
  const file = response ? readFitWorkout(response.bytes, ride.startMs, quarantined) : null;
  // Without a file, or with one that gives no times.
  const details = file?.data ? null : await readOptional(http, `${ridePath}/details`);
  const read = details && readDetails(details.body, quarantined);
  const added = read && file ? { ...read, offset: file.offset, sport: file.sport ?? read.sport, figures: file.figures } : (read ?? file);
  return { version, records: mapRide(ride, added ?? null, context, quarantined), quarantined };
}

/** The day of a ride may only be known once its file was read. */
function onlyWithin(page: PulledPage, window: PullWindow): PulledPage {
  const [summary] = page.records;
  const day = summary?.kind === 'summary' ? summary.calendarDate : null;
  return day === null || isWithin(day, window) ? page : { ...page, records: [] };
}

async function* readWindow(http: ProviderHttp, userId: string, window: PullWindow, context: RecordMaker): AsyncGenerator<PulledPage> {
  const path = `/users/${encodeURIComponent(userId)}/activities`;
  const fromMs = utcMidnight(addDays(window.startDate, -1));
  const untilMs = utcMidnight(addDays(window.endDate, 2));
  let isFirst = true;
  for await (const response of readList(http, path, fromMs)) {
    const quarantined: Quarantined[] = [];
    const list = listOf(response);
    const rides = readEach('workouts', list, quarantined, readListed);
    // Numbered pages may shift while they are read: only a first one that reaches beyond the window shows what is gone.
    const isWhole = isFirst && Array.isArray(list.value) && (list.value.length < itemsPerPage || isBeyond(rides, fromMs));
    isFirst = false;
    const partOf = isWhole ? summariesOn(window, computer, 'workouts') : [];
    yield { version: response.version, records: [], quarantined, partOf, named: namesIn(list, 'id', computer, context, 'workouts') };
    for (const ride of rides.filter(({ startMs }) => startMs >= fromMs && startMs < untilMs))
      yield onlyWithin(await readRide(http, path, ride, response.version, context), window);
  }
}

export const hammerheadPulls: readonly PullSpec[] = [
  {
    ...completeDays,
    ...pullDefaults,
    name: 'rides',
    resources: ['workouts', 'workout_stream'],
    chunkDays: 30,
    backfillDays: historyDays,
    listsBeyondWindow: true,
    pull: ({ http, user, window }) => readWindow(http, user.providerUserId, window, createContext(user)),
  },
];
