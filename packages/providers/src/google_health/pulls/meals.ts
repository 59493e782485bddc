import { historyDaysMax } from '../../kit/history-depth.ts';
import { samplesInside, summariesOn } from '../../kit/records/complete-ranges.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { readPoints } from '../data-points.ts';
import { createContext, googleScopes } from '../google-health.ts';
import { mapMeals } from '../mappers/map-meals.ts';
import { collectPages } from '../../kit/http/collect-pages.ts';

/** The foods of a meal may be on several pages, so a window is mapped as a whole. */
export const mealsPull: PullSpec = {
  name: 'nutrition-log',
  resources: ['meal', 'carbohydrates', 'caffeine'],
  requiredScopes: [googleScopes.nutrition],
  chunkDays: 30,
  backfillDays: 90,
  reachDays: historyDaysMax,
  rereadDays: 5,
  deletions: 'by_absence',
  collections: ['nutrition-log'],
  async *pull({ http, user, window, now }) {
    const found = await collectPages(readPoints(http, { type: 'nutrition-log', kind: 'session', window }));
    if (found === null) return;
    const partOf = [...summariesOn(window, 'app', 'meal'), ...samplesInside(window, now, 'app', ['carbohydrates', 'caffeine'])];
    yield { version: found.version, ...mapMeals(found.bodies, createContext(user)), partOf };
  },
};
