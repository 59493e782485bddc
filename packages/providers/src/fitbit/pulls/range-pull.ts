import type { CompleteRange } from '@pulsewire/contract';
import { splitWindow } from '../../kit/time/days.ts';
import { historyDaysMax } from '../../kit/history-depth.ts';
import type { PullSpec, PullWindow } from '../../kit/types/connector.ts';
import { createMapContext, pageOf, type MapContext, type Mapped } from '../context/map-context.ts';

export interface RangePull extends Pick<PullSpec, 'name' | 'resources' | 'requiredScopes' | 'chunkDays' | 'collections'> {
  path(startDate: string, endDate: string): string;
  map(body: unknown, context: MapContext): Mapped;
  /** The ranges that a response for these days covers completely; absent: none, for the reason in `deletions`. */
  allOf?(days: PullWindow, context: MapContext): readonly CompleteRange[];
  readonly deletions: NonNullable<PullSpec['deletions']>;
}

/** A pull in which one call returns a range of days and one mapper reads the response. */
export function rangePull({ path, map, allOf, ...spec }: RangePull): PullSpec {
  return {
    ...spec,
    backfillDays: 90,
    reachDays: historyDaysMax,
    rereadDays: 3,
    async *pull({ http, user, window }) {
      const context = createMapContext(user);
      for (const days of splitWindow(window, spec.chunkDays)) {
        const response = await http.get(path(days.startDate, days.endDate));
        yield pageOf(response, { ...map(response.body, context), allOf: allOf?.(days, context) ?? [] });
      }
    },
  };
}
