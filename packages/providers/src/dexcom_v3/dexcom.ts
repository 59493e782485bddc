import { toMillimoles } from '../kit/values/glucose.ts';
import { createRecordMaker, type RecordMaker } from '../kit/records/record-maker.ts';
import type { PullUser } from '../kit/types/connector.ts';

export const dexcomSlug = 'dexcom_v3';
/** `source_id` on the wire. */
export const dexcomSourceId = 9;
/** How far back history is read. */
export const historyDays = 30;

/** Kinds of source: what the sensor read, what a meter read, what the person wrote down. */
export const sensor = 'automatic';
export const meter = 'fingerprick';
export const diary = 'app';

/** What mappers get beside the answer. */
export type DexcomContext = RecordMaker;

export function createContext(user: PullUser): DexcomContext {
  return createRecordMaker(dexcomSlug, user);
}

/** A glucose value in mmol/L; undefined for a unit that is not known. */
export function toMmol(value: number, unit: string): number | undefined {
  if (unit === 'mmol/L') return value;
  return unit === 'mg/dL' ? toMillimoles(value) : undefined;
}
