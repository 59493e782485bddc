import type { MappedRecords, PullSpec, PullWindow } from '../../kit/types.ts';
import { readServicePages } from '../call.ts';
import { createContext, type WithingsContext } from '../withings.ts';
import { historyDays, rereadDays } from './depths.ts';

export interface DaysPull extends Pick<PullSpec, 'name' | 'resources' | 'requiredScopes' | 'collections'> {
  readonly path: string;
  readonly form: (window: PullWindow) => Readonly<Record<string, string>>;
  map(body: unknown, window: PullWindow, context: WithingsContext): MappedRecords;
}

/** The window as days, for services that take them. */
export function daysOf({ startDate, endDate }: PullWindow): { readonly startdateymd: string; readonly enddateymd: string } {
  return { startdateymd: startDate, enddateymd: endDate };
}

/** A pull of one service, each page of which one mapper reads whole. */
export function daysPull({ path, form, map, ...spec }: DaysPull): PullSpec {
  return {
    ...spec,
    chunkDays: 90,
    backfillDays: historyDays,
    rereadDays,
    async *pull({ http, user, window }) {
      const context = createContext(user);
      for await (const { body, version } of readServicePages(http, path, form(window))) yield { ...map(body, window, context), version };
    },
  };
}
