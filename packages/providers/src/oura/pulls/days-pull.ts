import { historyDaysMax } from '../../kit/history-depth.ts';
import type { MappedRecords, PullSpec, PullWindow } from '../../kit/types.ts';
import { asList, readDays, readDocument } from '../collections.ts';
import { createContext, pageOf, type OuraContext } from '../oura.ts';
import { documentIdOf } from '../push-objects.ts';

/** A year at once works; ninety days keep answers and pages small. */
export const daysPerCall = 90;
export const historyDays = 180;
export const rereadDays = 3;

export interface DaysPull extends Pick<PullSpec, 'name' | 'resources' | 'requiredScopes' | 'collections' | 'removeObject'> {
  /** In the path of the API. */
  readonly collection: string;
  /** `window` is null for a document that was read by itself. */
  map(body: unknown, window: PullWindow | null, context: OuraContext): MappedRecords;
}

/** A pull of one collection of days, each page of which one mapper reads whole. */
export function daysPull({ collection, map, ...spec }: DaysPull): PullSpec {
  return {
    ...spec,
    chunkDays: daysPerCall,
    backfillDays: historyDays,
    reachDays: historyDaysMax,
    rereadDays,
    deletions: { unseen: 'Oura pushes what is deleted, document by document.' },
    async *pull({ http, user, window }) {
      const context = createContext(user);
      for await (const answer of readDays(http, collection, window)) yield pageOf(answer, map(answer.body, window, context));
    },
    async *pullObject({ http, user, objectId }) {
      const answer = await readDocument(http, collection, documentIdOf(objectId));
      yield pageOf(answer, map(asList(answer), null, createContext(user)));
    },
  };
}
