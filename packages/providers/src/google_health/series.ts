import type { TimeKind } from './data-points.ts';
import { googleScopes } from './google-health.ts';
import { toMillimoles } from '../kit/values/glucose.ts';
import { roundTo } from '../kit/values/numbers.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import { readReal } from './read-point.ts';

/** One data type that becomes one series. */
export interface SeriesRow {
  /** Google's name, in kebab case. */
  readonly type: string;
  readonly resource: string;
  readonly scope: string;
  readonly kind: TimeKind;
  /** `reconcile`: merged by Google, so that a phone and a watch do not count the same steps twice. */
  readonly operation: 'list' | 'reconcile';
  /** Days of one window. */
  readonly chunkDays: number;
  readonly backfillDays: number;
  /** The value in our unit; null leaves the point out. */
  read(value: JsonNode): number | null;
}

const { activity, metrics } = googleScopes;
const minutes = { kind: 'interval', operation: 'reconcile', chunkDays: 7, backfillDays: 90 } as const;
const daily = { kind: 'daily', operation: 'list', chunkDays: 90, backfillDays: 365 } as const;
const measured = { kind: 'sample', operation: 'list', chunkDays: 90, backfillDays: 365 } as const;

/** A percentage of exactly 50 fills the gaps between measurements. */
const fillerPercent = 50;

function readDelta(value: JsonNode): number | null {
  const [night, baseline] = [readReal(value.at('nightlyTemperatureCelsius')), readReal(value.at('baselineTemperatureCelsius'))];
  return night === null || baseline === null ? null : roundTo(night - baseline, 3);
}

/** The series in the order of their value per call. */
export const seriesRows: readonly SeriesRow[] = [
  { ...measured, type: 'weight', resource: 'weight', scope: metrics, read: (value) => roundTo(value.at('weightGrams').amount() / 1000, 3) },
  { ...measured, type: 'body-fat', resource: 'fat', scope: metrics, read: (value) => value.at('percentage').amount() },
  {
    ...measured,
    type: 'blood-glucose',
    resource: 'glucose',
    scope: metrics,
    read: (value) => toMillimoles(value.at('bloodGlucoseMilligramsPerDeciliter').amount()),
  },
  {
    ...daily,
    type: 'daily-respiratory-rate',
    resource: 'respiratory_rate',
    scope: metrics,
    read: (value) => value.at('breathsPerMinute').amount(),
  },
  { ...daily, type: 'daily-sleep-temperature-derivations', resource: 'body_temperature_delta', scope: metrics, read: readDelta },
  { ...daily, type: 'daily-vo2-max', resource: 'vo2_max', scope: activity, read: (value) => value.at('vo2Max').amount() },
  {
    ...measured,
    type: 'core-body-temperature',
    resource: 'body_temperature',
    scope: metrics,
    read: (value) => value.at('temperatureCelsius').number(),
  },
  {
    ...measured,
    operation: 'reconcile',
    chunkDays: 14,
    backfillDays: 90,
    type: 'heart-rate-variability',
    resource: 'hrv',
    scope: metrics,
    read: (value) => value.at('rootMeanSquareOfSuccessiveDifferencesMilliseconds').optional((node) => roundTo(node.amount(), 3)),
  },
  {
    ...measured,
    operation: 'reconcile',
    chunkDays: 7,
    backfillDays: 90,
    type: 'oxygen-saturation',
    resource: 'blood_oxygen',
    scope: metrics,
    read(value) {
      const percent = readReal(value.at('percentage'));
      return percent === null || percent <= fillerPercent ? null : percent;
    },
  },
  { ...minutes, type: 'steps', resource: 'steps', scope: activity, read: (value) => value.at('count').amount() },
  {
    ...minutes,
    type: 'distance',
    resource: 'distance',
    scope: activity,
    read: (value) => roundTo(value.at('millimeters').amount() / 1000, 3),
  },
  { ...minutes, type: 'floors', resource: 'floors_climbed', scope: activity, read: (value) => value.at('count').amount() },
  {
    ...minutes,
    type: 'active-energy-burned',
    resource: 'calories_active',
    scope: activity,
    read: (value) => roundTo(value.at('kcal').amount(), 3),
  },
  {
    ...minutes,
    operation: 'list',
    type: 'basal-energy-burned',
    resource: 'calories_basal',
    scope: activity,
    read: (value) => roundTo(value.at('kcal').amount(), 3),
  },
  // A reading every few seconds: a day is several pages, and a month of history is what the quota allows beside everything else. Each
  // window reads a day more at both ends, so a short one would read most days twice.
  {
    ...measured,
    operation: 'reconcile',
    chunkDays: 6,
    backfillDays: 30,
    type: 'heart-rate',
    resource: 'heartrate',
    scope: metrics,
    read: (value) => value.at('beatsPerMinute').amount(),
  },
];
