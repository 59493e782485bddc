import { createRecordMaker, type RecordMaker } from '../kit/records/record-maker.ts';
import type { PullUser } from '../kit/types/connector.ts';

export const freestyleSlug = 'freestyle_libre';
/** `source_id` on the wire. */
export const freestyleSourceId = 13;

/** Identifies us as LibreView's own web page, because this is its interface. */
export const webHeaders = { product: 'lv', accept: 'application/json' };

/** The format of a patient id, which is used in paths. */
export const patientPattern = /^[\w-]{1,64}$/;

export function createContext(user: PullUser): RecordMaker {
  return createRecordMaker(freestyleSlug, user);
}
