import { createRecordMaker, type RecordMaker } from '../kit/records/record-maker.ts';
import type { PullUser } from '../kit/types/connector.ts';

export const cronometerSlug = 'cronometer';
/** `source_id` on the wire. */
export const cronometerSourceId = 55;
/** Everything is typed into the app. */
export const app = 'app';

export function createContext(user: PullUser): RecordMaker {
  return createRecordMaker(cronometerSlug, user);
}
