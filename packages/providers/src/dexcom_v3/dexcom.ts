import { toMillimoles } from '../kit/values/glucose.ts';
import { type RecordMaker, recordMakersOf } from '../kit/records/record-maker.ts';

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

export const createContext = recordMakersOf(dexcomSlug);

/** No reading in mmol/L is as large, and none in mg/dL as small. */
const [mostMmol, leastMg] = [30, 36];

/**
 * A glucose value in mmol/L; undefined where its unit is not certain. Receivers and older transmitters write `unknown` or leave the unit out:
 * sensors measure from 40 to 400 mg/dL, so the value itself tells.
 */
export function toMmol(value: number, unit: string | null): number | undefined {
  if (unit === 'mmol/L') return value;
  if (unit === 'mg/dL') return toMillimoles(value);
  if (unit !== null && unit !== 'unknown') return undefined;
  if (value >= leastMg) return toMillimoles(value);
  return value > 0 && value <= mostMmol ? value : undefined;
}
