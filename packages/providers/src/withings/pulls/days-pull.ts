import { historyDaysMax } from '../../kit/history-depth.ts';
import type { MappedRecords, PullSpec, PullWindow } from '../../kit/types.ts';
import { readServicePages } from '../call.ts';
import { createContext, type WithingsContext } from '../withings.ts';
import { askFor, historyDays, rereadDays, type Asked } from './depths.ts';

export interface DaysPull extends Pick<PullSpec, 'name' | 'resources' | 'requiredScopes' | 'collections'> {
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
  /** How this service takes a window (`depths.ts`). */
  byDays(window: PullWindow): Asked['form'];
  map(body: unknown, window: PullWindow, context: WithingsContext): MappedRecords;
}

/** A pull of one service, each page of which one mapper reads whole. */
export function daysPull({ path, form, byDays, map, ...spec }: DaysPull): PullSpec {
  return {
    ...spec,
    chunkDays: 90,
    backfillDays: historyDays,
    reachDays: historyDaysMax,
    rereadDays,
    deletions: { unseen: 'After a notification only what was modified since is asked for, not all of a range.' },
    async *pull(call) {
      const context = createContext(call.user);
      const asked = askFor(call, byDays);
      for await (const { body, version } of readServicePages(call.http, path, { ...form, ...asked.form }))
        yield { ...map(body, asked.window, context), version };
    },
  };
}
