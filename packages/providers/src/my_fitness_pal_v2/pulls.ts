import { profileDefaults } from '../kit/pull-presets.ts';
import { historyDaysMax } from '../kit/history-depth.ts';
import { summariesOn } from '../kit/records/complete-ranges.ts';
import { readOptional } from '../kit/http/read-optional.ts';
import { collectPages } from '../kit/http/collect-pages.ts';
import { app, diaryFields, itemsOf, readItemPages } from '../kit/my-fitness-pal/items.ts';
import { mapDiaryItems, type DiaryReading } from '../kit/my-fitness-pal/map-diary-items.ts';
import { mapMeasurements } from '../kit/my-fitness-pal/map-measurements.ts';
import { noonOf } from '../kit/records/meals/meal-hour.ts';
import { addDays, eachDay, msToDay } from '../kit/time/days.ts';
import type { ObjectContext, ProviderHttp, PulledPage, PullSpec, PullUser, PullWindow } from '../kit/types/connector.ts';
import { UnreadableError } from '../kit/values/json-node.ts';
import { mapProfile } from './map-profile.ts';
import { createContext, unnamed, userPath } from './my-fitness-pal.ts';

export const diaryReading: DiaryReading = { mealTime: (day, _name, context) => noonOf(day, context), leftOut: [], hasWater: false };
const diaryPath = '/v2/diary';
const weightPath = '/v2/measurements';
const days = { chunkDays: 7, backfillDays: 14, reachDays: historyDaysMax, rereadDays: 7 } as const;

/** The days that a notice concerns: that of its entry, or the recent ones where it names none or the entry was deleted. */
async function windowOf({ http, objectId, now = new Date() }: ObjectContext, path: string): Promise<PullWindow> {
  const today = msToDay(now.getTime());
  const recent = { startDate: addDays(today, -days.rereadDays), endDate: addDays(today, 1) };
  if (objectId === unnamed) return recent;
  const found = await readOptional(http, `${path}/${encodeURIComponent(objectId)}`);
  try {
    const day = found === null ? undefined : itemsOf(found.body).items()[0]?.at('date').day();
    return day === undefined ? recent : { startDate: day, endDate: day };
  } catch (error) {
    if (error instanceof UnreadableError) return recent;
    throw error;
  }
}

/** One call a day: the diary has no ranges. */
async function* readDiary(http: ProviderHttp, user: PullUser, window: PullWindow): AsyncGenerator<PulledPage> {
  const context = createContext(user);
  for (const day of eachDay(window)) {
    const path = `${diaryPath}?entry_date=${day}&types=diary_meal,exercise,steps_aggregate&${diaryFields}`;
    const complete = summariesOn({ startDate: day, endDate: day }, app, 'meal', 'workouts');
    // The entries of a day are mapped together: its steps are those of one of several sources.
    const found = await collectPages(readItemPages(http, path));
    if (found === null) continue;
    const lists = found.bodies.map((body) => itemsOf(body).value);
    const isWhole = lists.every((list) => Array.isArray(list));
    const body = isWhole ? { items: lists.flat() } : lists.find((list) => !Array.isArray(list));
    yield { version: found.version, ...mapDiaryItems(body, context, diaryReading), ...(isWhole && { allOf: complete }) };
  }
}

async function* readWeights(http: ProviderHttp, user: PullUser, window: PullWindow): AsyncGenerator<PulledPage> {
  const context = createContext(user);
  for (const day of eachDay(window)) {
    const allOf = summariesOn({ startDate: day, endDate: day }, app, 'body');
    for await (const { body, version } of readItemPages(http, `${weightPath}?entry_date=${day}&types=weight`))
      yield { version, ...mapMeasurements(body, context), partOf: allOf };
  }
}

export const diaryPull: PullSpec = {
  ...days,
  name: 'diary',
  resources: ['meal', 'carbohydrates', 'workouts', 'steps', 'activity'],
  requiredScopes: ['diary'],
  collections: ['diary_meal', 'diary_exercise', 'diary_steps'],
  deletions: 'by_absence',
  pull: ({ http, user, window }) => readDiary(http, user, window),
  async *pullObject(call) {
    yield* readDiary(call.http, call.user, await windowOf(call, diaryPath));
  },
};

export const weightPull: PullSpec = {
  ...days,
  name: 'measurements',
  resources: ['body', 'weight'],
  requiredScopes: ['measurements'],
  collections: ['measurements'],
  deletions: 'by_absence',
  pull: ({ http, user, window }) => readWeights(http, user, window),
  async *pullObject(call) {
    yield* readWeights(call.http, call.user, await windowOf(call, weightPath));
  },
};

export const profilePull: PullSpec = {
  ...profileDefaults,
  collections: ['user_info'],
  async *pull({ http, user }) {
    if (user.providerUserId === null) return;
    const response = await readOptional(http, userPath(user.providerUserId, 'profiles'));
    if (response) yield { version: response.version, ...mapProfile(response.body, createContext(user)) };
  },
};
