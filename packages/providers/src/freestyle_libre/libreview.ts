import { createRecordMaker, type RecordMaker } from '../kit/records/record-maker.ts';
import type { PullUser } from '../kit/types/connector.ts';

export const freestyleSlug = 'freestyle_libre';
/** `source_id` on the wire. */
export const freestyleSourceId = 13;

/** Which client asks: the web page of LibreView, whose interface this is. */
export const webHeaders = { product: 'lv', accept: 'application/json' };

/** What a person's id looks like; it goes into paths. */
export const patientPattern = /^[\w-]{1,64}$/;

export function createContext(user: PullUser): RecordMaker {
  return createRecordMaker(freestyleSlug, user);
}
