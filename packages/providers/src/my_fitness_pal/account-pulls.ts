import { isAppError } from '@pulsewire/kernel';
import { pullDefaults } from '../kit/pull-presets.ts';
import { historyDaysMax } from '../kit/history-depth.ts';
import { collectPages } from '../kit/http/collect-pages.ts';
import { app, diaryFields, itemsOf, readItemPages } from '../kit/my-fitness-pal/items.ts';
import { mapDiaryItems, type DiaryReading } from '../kit/my-fitness-pal/map-diary-items.ts';
import { mapMeasurements } from '../kit/my-fitness-pal/map-measurements.ts';
import { samplesBetween, summariesOn } from '../kit/records/complete-ranges.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { usualMealTime } from '../kit/records/meals/meal-hour.ts';
import { addDays, eachDay } from '../kit/time/days.ts';
import type { PullContext, PulledPage, PullSpec } from '../kit/types/connector.ts';
import { createContext, isAccount, phoneRegion } from './my-fitness-pal.ts';

/** As in a shared diary, so that a meal keeps its time when a user links in the other way. */
export const accountReading: DiaryReading = { mealTime: usualMealTime, leftOut: ['food_entry'], hasWater: true };

/** Water has one sample a day, at its start. */
function dayStretch(day: string, context: RecordMaker) {
  const zone = context.zoneOn(day);
  return { fromMs: zone.startOfDay(day).ms, toMs: zone.startOfDay(addDays(day, 1)).ms };
}

/** Nobody knows whether water is listed without being asked for, nor whether all of these types are accepted: then none is named. */
const types = 'diary_meal,exercise_entry,steps_aggregate,water';
const isRefused = (error: unknown): boolean => isAppError(error) && [400, 422].includes(Number(error.details['status']));

const region = { region: phoneRegion };
const days = {
  ...pullDefaults,
  // One call a day.
  chunkDays: 7,
  backfillDays: 14,
  reachDays: historyDaysMax,
  rereadDays: 7,
  deletions: 'by_absence',
} as const;

async function* readDiary({ http, user, window, now }: PullContext): AsyncGenerator<PulledPage> {
  if (!isAccount(user.account)) return;
  const context = createContext(user);
  let namesTypes = true;
  for (const day of eachDay(window)) {
    const path = `/v2/diary?entry_date=${day}&${diaryFields}`;
    const readDay = (asked: string) => collectPages(readItemPages(http, asked, region));
    // The steps of a day are those of one of several sources, so its entries are mapped together.
    const found = await readDay(namesTypes ? `${path}&types=${types}` : path).catch((error: unknown) => {
      if (!namesTypes || !isRefused(error)) throw error;
      namesTypes = false;
      return readDay(path);
    });
    if (found === null) continue;
    const lists = found.bodies.map((body) => itemsOf(body).value);
    const isWhole = lists.every((list) => Array.isArray(list));
    const body = isWhole ? { items: lists.flat() } : lists.find((list) => !Array.isArray(list));
    const allOf = [
      ...summariesOn({ startDate: day, endDate: day }, app, 'meal', 'workouts'),
      ...samplesBetween(dayStretch(day, context), now, app, ['water']),
    ];
    yield { version: found.version, ...mapDiaryItems(body, context, accountReading), ...(isWhole && { allOf }) };
  }
}

async function* readWeights({ http, user, window }: PullContext): AsyncGenerator<PulledPage> {
  if (!isAccount(user.account)) return;
  const context = createContext(user);
  for (const day of eachDay(window)) {
    const partOf = summariesOn({ startDate: day, endDate: day }, app, 'body');
    for await (const { body, version } of readItemPages(http, `/v2/measurements?entry_date=${day}&types=weight`, region))
      yield { version, ...mapMeasurements(body, context), partOf };
  }
}

/** What the phone app reads: totals of meals instead of foods, and weights and steps, which a shared diary lacks. */
export const accountPulls: readonly PullSpec[] = [
  { ...days, name: 'account_diary', resources: ['meal', 'carbohydrates', 'workouts', 'water', 'steps', 'activity'], pull: readDiary },
  { ...days, name: 'account_weight', resources: ['body', 'weight'], pull: readWeights },
];
