import { createRecordMaker, type RecordMaker } from '../kit/records/record-maker.ts';
import type { PullUser } from '../kit/types/connector.ts';

export const freestyleSlug = 'freestyle_libre';
/** `source_id` on the wire. */
export const freestyleSourceId = 13;

export function createContext(user: PullUser): RecordMaker {
  return createRecordMaker(freestyleSlug, user);
}
