import type { CompleteRange, Quarantined } from '@pulsewire/contract';
import { isAppError } from '@pulsewire/kernel';
import { pullDefaults } from '../kit/pull-presets.ts';
import { isWithin } from '../kit/records/left-out.ts';
import { historyDaysMax } from '../kit/history-depth.ts';
import { samplesBetween, summariesOn } from '../kit/records/complete-ranges.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { addDays } from '../kit/time/days.ts';
import type { ProviderHttp, ProviderResponse, PullSpec, PullWindow } from '../kit/types/connector.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import { app, createContext } from './cronometer.ts';
import { mapDiary } from './map-diary.ts';

export const historyDays = 28;

/** Every call is a POST, also those that only read. */
function read(http: ProviderHttp, call: string, json: Readonly<Record<string, unknown>>): Promise<ProviderResponse> {
  return http.post(`/api_v1/${call}`, { json, isRead: true });
}

const refusals: ReadonlySet<unknown> = new Set([400, 422]);
const listOf = (body: unknown): readonly unknown[] => (Array.isArray(body) ? body : [body]);

/** The days of a range that were asked for; none where ranges are refused. A response that is no day, such as an error, has none. */
async function readRange(http: ProviderHttp, days: readonly string[]): Promise<readonly unknown[]> {
  if (days.length === 1) return [];
  try {
    const { body } = await read(http, 'diary_summary', { start: days[0], end: days.at(-1), food: true });
    return listOf(body).filter((day) => days.some((asked) => asked === new JsonNode(day).at('day').value));
  } catch (error) {
    if (isAppError(error) && refusals.has(error.details['status'])) return [];
    throw error;
  }
}

/**
 * The diary of these days, oldest first: one call for all of them. Only types of a public client state that a range is possible, so
 * days that the response leaves out, or all days when it is refused, are read one by one.
 */
async function readDiary(http: ProviderHttp, days: readonly string[]): Promise<readonly unknown[]> {
  const listed = await readRange(http, days);
  const seen = new Set(listed.map((day) => new JsonNode(day).at('day').value));
  const others: unknown[] = [];
  for (const day of days.filter((one) => !seen.has(one))) {
    others.push(...listOf((await read(http, 'diary_summary', { day, food: true })).body));
  }
  return [...listed, ...others];
}

/** Water and caffeine have one sample a day, at its start in the user's zone. */
function allOn(window: PullWindow, now: Date | undefined, context: RecordMaker): CompleteRange[] {
  const startOf = (day: string) => context.zoneOn(day).startOfDay(day).ms;
  const stretch = { fromMs: startOf(window.startDate), toMs: startOf(addDays(window.endDate, 1)) };
  return [...summariesOn(window, app, 'meal'), ...samplesBetween(stretch, now, app, ['water', 'caffeine', 'carbohydrates'])];
}

/** The summary names the days that hold data: an emptied day is missing there. */
export const diaryPull: PullSpec = {
  ...pullDefaults,
  name: 'diary',
  resources: ['meal', 'carbohydrates', 'water', 'caffeine'],
  // Clients of the live API ask for two weeks at a time, because longer ranges with foods time out.
  chunkDays: 14,
  backfillDays: historyDays,
  reachDays: historyDaysMax,
  rereadDays: 7,
  deletions: 'by_absence',
  async *pull({ http, user, window, now }) {
    const context = createContext(user);
    const { body, version } = await read(http, 'data_summary', { start: window.startDate, end: window.endDate });
    const unreadable: Quarantined[] = [];
    const listed = readEach('meal', new JsonNode(body).at('days'), unreadable, (day) => day.day());
    const days = [...new Set(listed)].filter((day) => isWithin(day, window)).toSorted();
    const { records, quarantined } = mapDiary(days.length === 0 ? [] : await readDiary(http, days), context);
    // Several responses form the page, so it has the version of the oldest.
    yield { records, quarantined: [...unreadable, ...quarantined], version, partOf: allOn(window, now, context) };
  },
};
