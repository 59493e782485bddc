import { historyDaysMax } from '../../kit/history-depth.ts';
import type { CompleteRange } from '@pulsewire/contract';
import type { MappedRecords, PullSpec, PullWindow } from '../../kit/types/connector.ts';
import { nextOffset, readServicePages } from '../call.ts';
import { createContext, type WithingsContext } from '../withings.ts';
import { requestOf, historyDays, rereadDays, type Asked } from './depths.ts';

export interface DaysPull extends Pick<PullSpec, 'name' | 'resources' | 'requiredScopes' | 'collections'> {
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
  /** How this service takes a window (`depths.ts`). */
  byDays(window: PullWindow): Asked['form'];
  /** The ranges for which a response that covers these days is complete. */
  complete(days: PullWindow, now: Date | undefined): readonly CompleteRange[];
  map(body: unknown, window: PullWindow, context: WithingsContext): MappedRecords;
}

/** A pull of one service; each page is mapped as a whole. */
export function daysPull({ path, form, byDays, complete, map, ...spec }: DaysPull): PullSpec {
  return {
    ...spec,
    chunkDays: 90,
    backfillDays: historyDays,
    reachDays: historyDaysMax,
    rereadDays,
    deletions: 'by_absence',
    async *pull(call) {
      const context = createContext(call.user);
      let isFirst = true;
      const requested = requestOf(call, byDays);
      for await (const response of readServicePages(call.http, path, { ...form, ...requested.form })) {
        // A list of recent changes is not complete; pages are numbered, and a list of two may have shifted between them.
        const isWhole = requested.isByDays && isFirst && nextOffset(response) === null;
        isFirst = false;
        const allOf = isWhole ? complete(requested.window, call.now) : [];
        yield { ...map(response.body, requested.window, context), version: response.version, allOf };
      }
    },
  };
}
