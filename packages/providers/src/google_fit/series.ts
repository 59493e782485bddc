import { roundTo } from '../kit/values/numbers.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import { fitScopes, mergedStream, readingSources } from './google-fit.ts';
import { amountAt, numberAt, originOf, readSourceType } from './read-point.ts';

/** One data type that becomes one series. */
export interface SeriesRow {
  readonly resource: string;
  readonly stream: string;
  readonly scope: string;
  /** Days of one window. */
  readonly chunkDays: number;
  readonly sources: readonly string[];
  /** The value in our unit; null leaves the point out. */
  read(point: JsonNode): number | null;
  /** The second value of a reading. */
  readSecond?(point: JsonNode): number | null;
  /** Default: as stated by the stream. */
  sourceType?(point: JsonNode): string;
  extra?(point: JsonNode): Readonly<Record<string, unknown>>;
}

const first = (point: JsonNode): number | null => amountAt(point, 0);

/** Where glucose was measured; other specimens are drawn by a laboratory. */
const specimens: ReadonlyMap<number | null, string> = new Map([
  [1, 'automatic'],
  [2, 'fingerprick'],
  [3, 'lab'],
  [4, 'lab'],
]);
const specimenPlace = 4;

const thermometers: ReadonlyMap<number | null, string> = new Map([
  [1, 'armpit'],
  [2, 'finger'],
  [3, 'forehead'],
  [4, 'mouth'],
  [5, 'rectum'],
  [6, 'temporal_artery'],
  [7, 'toe'],
  [8, 'eardrum'],
  [9, 'wrist'],
]);

const rare = { chunkDays: 90, sources: readingSources };
const byMinute = { chunkDays: 7, sources: readingSources, scope: fitScopes.activity };

/** The series in the order of their value per call. Weight and fat are read with the body summaries. */
export const seriesRows: readonly SeriesRow[] = [
  {
    ...rare,
    resource: 'blood_pressure',
    stream: mergedStream('blood_pressure', 'merged'),
    scope: fitScopes.pressure,
    read: first,
    readSecond: (point) => amountAt(point, 1),
  },
  {
    ...rare,
    resource: 'glucose',
    stream: mergedStream('blood_glucose', 'merged'),
    scope: fitScopes.glucose,
    sources: [...readingSources, 'automatic', 'fingerprick', 'lab'],
    read(point) {
      const value = amountAt(point, 0);
      return value === null ? null : roundTo(value, 4);
    },
    sourceType: (point) => specimens.get(numberAt(point, specimenPlace)) ?? readSourceType(point),
  },
  {
    ...rare,
    resource: 'body_temperature',
    stream: mergedStream('body.temperature', 'merged'),
    scope: fitScopes.temperature,
    read: (point) => numberAt(point, 0),
    extra: (point) => ({ sensor_location: thermometers.get(numberAt(point, 1)) ?? null }),
  },
  {
    ...rare,
    chunkDays: 30,
    resource: 'blood_oxygen',
    stream: mergedStream('oxygen_saturation', 'merged'),
    scope: fitScopes.oxygen,
    read: first,
  },
  {
    ...rare,
    resource: 'water',
    stream: mergedStream('hydration', 'merged'),
    scope: fitScopes.nutrition,
    read(point) {
      const litres = amountAt(point, 0);
      return litres === null ? null : roundTo(litres * 1000, 1);
    },
  },
  // The figures that Google's own app shows; daily totals are taken from the same stream.
  { ...byMinute, resource: 'steps', stream: mergedStream('step_count.delta', 'estimated_steps'), read: first },
  {
    ...byMinute,
    resource: 'distance',
    stream: mergedStream('distance.delta', 'merge_distance_delta'),
    scope: fitScopes.location,
    read(point) {
      const metres = amountAt(point, 0);
      return metres === null ? null : roundTo(metres, 3);
    },
  },
  {
    ...byMinute,
    resource: 'calories_active',
    stream: mergedStream('calories.expended', 'merge_calories_expended'),
    // The rest of the day is filled with points that Google computes from the basal rate.
    read(point) {
      const kcal = amountAt(point, 0);
      return kcal === null || originOf(point).endsWith('from_bmr') ? null : roundTo(kcal, 3);
    },
  },
  // Up to a reading per second.
  {
    chunkDays: 1,
    sources: readingSources,
    resource: 'heartrate',
    stream: mergedStream('heart_rate.bpm', 'merge_heart_rate_bpm'),
    scope: fitScopes.heartRate,
    read: first,
  },
];
