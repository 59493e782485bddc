import type { FitFields } from './fit.ts';
import { roundTo } from '../values/numbers.ts';

export type FitReader = (fields: FitFields) => number | null;

/** Numbers of fields that several readers use. */
export const fieldsOf = {
  record: { lat: 0, lng: 1 },
  session: { start: 2, sport: 5, elapsed: 7, moving: 8 },
  activity: { localTime: 5 },
} as const;

const timeField = 253;
/** Seconds from 1970 to the epoch of FIT, the last day of 1989. */
const fitEpochSeconds = 631_065_600;
/** Smaller times are seconds since the device was switched on. */
const instantsFrom = 0x10000000;

/** Unix seconds of a field with a time; null when it has none, or counts from when the device was switched on. */
export function fitSeconds(fields: FitFields, field: number = timeField): number | null {
  const value = fields.get(field);
  return value === undefined || value < instantsFrom ? null : value + fitEpochSeconds;
}

export const scaled =
  (field: number, scale: number, offset = 0): FitReader =>
  (fields) => {
    const value = fields.get(field);
    return value === undefined ? null : roundTo(value / scale - offset, 3);
  };

/** The first field that has a value: newer devices write more precise fields in addition to the old ones. */
export const either =
  (...readers: readonly FitReader[]): FitReader =>
  (fields) => {
    for (const read of readers) {
      const value = read(fields);
      if (value !== null) return value;
    }
    return null;
  };
