import { createRecordMaker, type RecordMaker } from '../kit/records/record-maker.ts';
import type { PullUser } from '../kit/types.ts';

export const whoopSlug = 'whoop';
/** `source_id` on the wire (contract 20.5). */
export const whoopSourceId = 10;
export const strap = 'watch';

/** In the query of every call. */
export const apiVersion = { apiVersion: '7' };

export type WhoopContext = RecordMaker;

export function createContext(user: PullUser): WhoopContext {
  return createRecordMaker(whoopSlug, user);
}
