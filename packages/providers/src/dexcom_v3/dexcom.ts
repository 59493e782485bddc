import { toMillimoles } from '../kit/values/glucose.ts';
import { createRecordMaker, type RecordMaker } from '../kit/records/record-maker.ts';
import type { PullUser } from '../kit/types/connector.ts';

export const dexcomSlug = 'dexcom_v3';
/** `source_id` on the wire. */
export const dexcomSourceId = 9;
/** Depth of the history, in days. */
export const historyDays = 30;

/** Source types: readings of the sensor, readings of a meter, and manual entries. */
export const sensor = 'automatic';
export const meter = 'fingerprick';
export const diary = 'app';

/** Passed to mappers with the response. */
export type DexcomContext = RecordMaker;

export function createContext(user: PullUser): DexcomContext {
  return createRecordMaker(dexcomSlug, user);
}

/** A glucose value in mmol/L; undefined for an unknown unit. */
export function toMmol(value: number, unit: string): number | undefined {
  if (unit === 'mmol/L') return value;
  return unit === 'mg/dL' ? toMillimoles(value) : undefined;
}
