import { completeDays } from '../../kit/pull-presets.ts';
import { collectPages } from '../../kit/http/collect-pages.ts';
import { samplesBetween, summariesOn } from '../../kit/records/complete-ranges.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { readPoints, stretchOf } from '../data-sets.ts';
import { appSource, createContext, fitScopes, mergedStream } from '../google-fit.ts';
import { mapMeals } from '../mappers/map-meals.ts';

/** The foods of a meal may be on several pages, so a window is mapped as a whole. */
export const mealsPull: PullSpec = {
  ...completeDays,
  name: 'meals',
  resources: ['meal', 'carbohydrates'],
  requiredScopes: [fitScopes.nutrition],
  chunkDays: 30,
  backfillDays: 90,
  collections: [],
  async *pull({ http, user, window, now }) {
    const context = createContext(user);
    const stretch = stretchOf(window, context);
    const found = await collectPages(readPoints(http, mergedStream('nutrition', 'merged'), stretch));
    if (found === null) return;
    const partOf = [...summariesOn(window, appSource, 'meal'), ...samplesBetween(stretch, now, appSource, ['carbohydrates'])];
    yield { version: found.version, ...mapMeals(found.bodies, context), partOf };
  },
};
