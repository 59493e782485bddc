import { splitWindow } from '../../kit/days.ts';
import { historyDaysMax } from '../../kit/history-depth.ts';
import type { PullSpec } from '../../kit/types.ts';
import { createMapContext, pageOf, type MapContext, type Mapped } from '../map-context.ts';

export interface RangePull extends Pick<PullSpec, 'name' | 'resources' | 'requiredScopes' | 'chunkDays' | 'collections'> {
  path(startDate: string, endDate: string): string;
  map(body: unknown, context: MapContext): Mapped;
}

/** A pull in which one call brings a range of days and one mapper reads it whole. */
export function rangePull({ path, map, ...spec }: RangePull): PullSpec {
  return {
    ...spec,
    backfillDays: 90,
    reachDays: historyDaysMax,
    rereadDays: 3,
    async *pull({ http, user, window }) {
      const context = createMapContext(user);
      for (const { startDate, endDate } of splitWindow(window, spec.chunkDays)) {
        const answer = await http.get(path(startDate, endDate));
        yield pageOf(answer, map(answer.body, context));
      }
    },
  };
}
