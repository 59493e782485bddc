import { historyDaysMax } from '../../kit/history-depth.ts';
import { samplesInside, summariesOn } from '../../kit/records/complete-ranges.ts';
import type { MappedRecords, PullSpec, PullWindow } from '../../kit/types/connector.ts';
import { asList, dayOfDocument, readDays, readDocument } from '../collections.ts';
import { readDayOffsets, type DayOffsets } from '../day-offsets.ts';
import { createContext, documentIdOf, namedIn, pageOf, ring, type OuraContext } from '../oura.ts';

/** A year at once works; ninety days keep responses and pages small. */
export const daysPerCall = 90;
export const historyDays = 180;
export const rereadDays = 3;

export interface DaysPull extends Pick<PullSpec, 'name' | 'resources' | 'requiredScopes' | 'collections' | 'removeObject'> {
  /** In the path of the API. */
  readonly collection: string;
  /** Resources that come from this collection only, so a response contains all of them. */
  readonly summaries?: readonly string[];
  readonly samples?: readonly string[];
  /** `window` is null for a document that was requested by its id. */
  map(body: unknown, window: PullWindow | null, context: OuraContext): MappedRecords;
}

/** A pull of one collection of days; each page is mapped as a whole. */
export function daysPull({ collection, summaries = [], samples = [], map, ...spec }: DaysPull): PullSpec {
  return {
    ...spec,
    chunkDays: daysPerCall,
    backfillDays: historyDays,
    reachDays: historyDaysMax,
    rereadDays,
    deletions: 'by_absence',
    async *pull({ http, user, window, now }) {
      const context = createContext(user);
      // Oura's days begin at 04:00.
      const partOf = [...summariesOn(window, ring, ...summaries), ...samplesInside(window, now, ring, samples, 1)];
      for await (const response of readDays(http, collection, window)) {
        yield { ...pageOf(response, map(response.body, window, context)), partOf, named: namedIn(response, context, ...summaries) };
      }
    },
    async *pullObject({ http, user, objectId }) {
      const response = await readDocument(http, collection, documentIdOf(objectId));
      yield pageOf(response, map(asList(response), null, createContext(user)));
    },
  };
}

export interface DatedPull extends Pick<PullSpec, 'name' | 'resources' | 'requiredScopes' | 'collections'> {
  /** In the path of the API. */
  readonly collection: string;
  map(body: unknown, window: PullWindow, offsets: DayOffsets, context: OuraContext): MappedRecords;
}

/** A pull of one collection of days whose times do not contain the user's offset: it is taken from `daily_activity`. */
export function datedPull({ collection, map, ...spec }: DatedPull): PullSpec {
  return {
    ...spec,
    chunkDays: daysPerCall,
    backfillDays: historyDays,
    reachDays: historyDaysMax,
    rereadDays,
    deletions: 'by_absence',
    async *pull({ http, user, window, now }) {
      const context = createContext(user);
      const partOf = samplesInside(window, now, ring, spec.resources, 1);
      const offsets = await readDayOffsets(http, window, user.grantedScopes);
      for await (const response of readDays(http, collection, window))
        yield { ...pageOf(response, map(response.body, window, offsets, context)), partOf };
    },
    async *pullObject({ http, user, objectId }) {
      const response = await readDocument(http, collection, documentIdOf(objectId));
      const day = dayOfDocument(response);
      if (day === null) return;
      const window = { startDate: day, endDate: day };
      const offsets = await readDayOffsets(http, window, user.grantedScopes);
      yield pageOf(response, map(asList(response), window, offsets, createContext(user)));
    },
  };
}
