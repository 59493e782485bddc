import { historyDaysMax } from '../kit/history-depth.ts';
import { summariesOn } from '../kit/records/complete-ranges.ts';
import { readIfThere } from '../kit/http/read-if-there.ts';
import { collectPages } from '../kit/http/collect-pages.ts';
import { eachDay } from '../kit/time/days.ts';
import type { PullSpec } from '../kit/types/connector.ts';
import { mapDiary } from './map-diary.ts';
import { mapMeasurements } from './map-measurements.ts';
import { mapProfile } from './map-profile.ts';
import { app, createContext, fieldsQuery, userPath } from './my-fitness-pal.ts';
import { itemsOf, readItemPages } from './read-items.ts';

/** Objects are left out of the entries unless they are named. */
const fields = fieldsQuery(['nutritional_contents', 'exercise', 'energy', 'distance', 'elevation_change']);
const days = { chunkDays: 7, backfillDays: 14, reachDays: historyDaysMax, rereadDays: 7 } as const;

/** One call a day: the diary has no ranges. */
export const diaryPull: PullSpec = {
  ...days,
  name: 'diary',
  resources: ['meal', 'carbohydrates', 'workouts', 'steps', 'activity'],
  requiredScopes: ['diary'],
  collections: ['diary_meal', 'diary_exercise', 'diary_steps'],
  deletions: 'by_absence',
  async *pull({ http, user, window }) {
    const context = createContext(user);
    for (const day of eachDay(window)) {
      const path = `/v2/diary?entry_date=${day}&types=diary_meal,exercise,steps_aggregate&${fields}`;
      const complete = summariesOn({ startDate: day, endDate: day }, app, 'meal', 'workouts');
      // The entries of a day are mapped together: its steps are those of one of several sources.
      const found = await collectPages(readItemPages(http, path));
      if (found === null) continue;
      const lists = found.bodies.map((body) => itemsOf(body).value);
      const isWhole = lists.every((list) => Array.isArray(list));
      const body = isWhole ? { items: lists.flat() } : lists.find((list) => !Array.isArray(list));
      yield { version: found.version, ...mapDiary(body, context), ...(isWhole && { allOf: complete }) };
    }
  },
};

export const weightPull: PullSpec = {
  ...days,
  name: 'measurements',
  resources: ['body', 'weight'],
  requiredScopes: ['measurements'],
  collections: ['measurements'],
  deletions: 'by_absence',
  async *pull({ http, user, window }) {
    const context = createContext(user);
    for (const day of eachDay(window)) {
      const allOf = summariesOn({ startDate: day, endDate: day }, app, 'body');
      for await (const { body, version } of readItemPages(http, `/v2/measurements?entry_date=${day}&types=weight`))
        yield { version, ...mapMeasurements(body, context), partOf: allOf };
    }
  },
};

export const profilePull: PullSpec = {
  name: 'profile',
  resources: ['profile'],
  requiredScopes: [],
  chunkDays: historyDaysMax,
  backfillDays: 1,
  rereadDays: 1,
  collections: ['user_info'],
  deletions: { unseen: 'There is one profile for as long as there is an account.' },
  async *pull({ http, user }) {
    if (user.providerUserId === null) return;
    const response = await readIfThere(http, userPath(user.providerUserId, 'profiles'));
    if (response) yield { version: response.version, ...mapProfile(response.body, createContext(user)) };
  },
};
