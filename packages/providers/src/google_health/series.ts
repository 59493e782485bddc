import { toMillimoles } from '../kit/values/glucose.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
import type { TimeKind } from './data-points.ts';
import { googleScopes } from './google-health.ts';
import { readReal } from './read-point.ts';

/** A data type whose points are samples of a series. */
export interface SeriesType {
  /** Google's name, in kebab case. */
  readonly type: string;
  readonly kind: TimeKind;
  /** `reconcile`: merged by Google, so that a phone and a watch do not count the same steps twice. */
  readonly operation: 'list' | 'reconcile';
  /** The value in our unit; null leaves the point out. */
  read(value: JsonNode): number | null;
}

export interface SeriesRow {
  readonly resource: string;
  readonly scope: string;
  /** Days of one window. */
  readonly chunkDays: number;
  readonly backfillDays: number;
  /** The first names the pull. */
  readonly types: readonly [SeriesType, ...SeriesType[]];
  /**
   * How several types are combined. `by_night`: all describe nights, and each night is read from the first type that has it. `all`: they
   * measure different things, and only of several at one instant the first is read.
   */
  readonly combined?: 'by_night' | 'all';
}

type Read = SeriesType['read'];
const listed = (kind: TimeKind, type: string, read: Read): SeriesType => ({ type, kind, operation: 'list', read });
const merged = (kind: TimeKind, type: string, read: Read): SeriesType => ({ type, kind, operation: 'reconcile', read });

const amountAt =
  (key: string): Read =>
  (value) =>
    value.at(key).amount();
const roundedAt =
  (key: string, divisor = 1): Read =>
  (value) =>
    roundTo(value.at(key).amount() / divisor, 3);

/** A percentage of exactly 50 fills the gaps between measurements; nobody asleep has less. */
const fillerPercent = 50;
const oxygenAt =
  (key: string): Read =>
  (value) => {
    const percent = readReal(value.at(key));
    return percent === null || percent <= fillerPercent ? null : percent;
  };

/** How much warmer a night was than usual, in °C; null while Google does not know what is usual. */
export function readTemperatureDelta(value: JsonNode): number | null {
  const [night, baseline] = [readReal(value.at('nightlyTemperatureCelsius')), readReal(value.at('baselineTemperatureCelsius'))];
  return night === null || baseline === null ? null : roundTo(night - baseline, 3);
}

const { activity, metrics } = googleScopes;
const rare = { chunkDays: 90, backfillDays: 365 };
const minutes = { scope: activity, chunkDays: 7, backfillDays: 90 };
const rmssd = 'rootMeanSquareOfSuccessiveDifferencesMilliseconds';

export const weightType = listed('sample', 'weight', roundedAt('weightGrams', 1000));
export const fatType = listed('sample', 'body-fat', amountAt('percentage'));

/** The series in the order of their value per call; `pulls/series.ts` reads weighings before them. */
export const seriesRows: readonly SeriesRow[] = [
  {
    ...rare,
    resource: 'glucose',
    scope: metrics,
    types: [listed('sample', 'blood-glucose', (value) => toMillimoles(value.at('bloodGlucoseMilligramsPerDeciliter').amount()))],
  },
  {
    ...rare,
    resource: 'respiratory_rate',
    scope: metrics,
    // The daily value is the one that Fitbit had. A sleep's own summary is another statistic, for days without it.
    types: [
      listed('daily', 'daily-respiratory-rate', amountAt('breathsPerMinute')),
      listed('sample', 'respiratory-rate-sleep-summary', (value) => roundedAt('breathsPerMinute')(value.at('fullSleepStats'))),
    ],
    combined: 'by_night',
  },
  {
    ...rare,
    resource: 'body_temperature_delta',
    scope: metrics,
    types: [listed('daily', 'daily-sleep-temperature-derivations', readTemperatureDelta)],
  },
  {
    ...rare,
    resource: 'vo2_max',
    scope: activity,
    types: [
      listed('daily', 'daily-vo2-max', amountAt('vo2Max')),
      listed('sample', 'vo2-max', amountAt('vo2Max')),
      listed('sample', 'run-vo2-max', amountAt('runVo2Max')),
    ],
    combined: 'all',
  },
  {
    ...rare,
    resource: 'body_temperature',
    scope: metrics,
    types: [listed('sample', 'core-body-temperature', (value) => value.at('temperatureCelsius').number())],
  },
  {
    ...rare,
    resource: 'workout_swimming_stroke',
    scope: activity,
    types: [merged('interval', 'swim-lengths-data', amountAt('strokeCount'))],
  },
  {
    resource: 'hrv',
    scope: metrics,
    chunkDays: 14,
    backfillDays: 90,
    types: [merged('sample', 'heart-rate-variability', (value) => (value.at(rmssd).isMissing ? null : roundedAt(rmssd)(value)))],
  },
  {
    resource: 'blood_oxygen',
    scope: metrics,
    chunkDays: 7,
    backfillDays: 90,
    // The daily value is the mean of the measurements, and often the only thing that there is.
    types: [
      merged('sample', 'oxygen-saturation', oxygenAt('percentage')),
      listed('daily', 'daily-oxygen-saturation', oxygenAt('averagePercentage')),
    ],
    combined: 'by_night',
  },
  { ...minutes, resource: 'steps', types: [merged('interval', 'steps', amountAt('count'))] },
  { ...minutes, resource: 'distance', types: [merged('interval', 'distance', roundedAt('millimeters', 1000))] },
  { ...minutes, resource: 'floors_climbed', types: [merged('interval', 'floors', amountAt('count'))] },
  { ...minutes, resource: 'calories_active', types: [merged('interval', 'active-energy-burned', roundedAt('kcal'))] },
  { ...minutes, resource: 'calories_basal', types: [listed('interval', 'basal-energy-burned', roundedAt('kcal'))] },
  // A reading every few seconds: a day is several pages, and a month of history is what the quota allows beside everything else. Each
  // window reads a day more at both ends, so a short one would read most days twice.
  {
    resource: 'heartrate',
    scope: metrics,
    chunkDays: 6,
    backfillDays: 30,
    types: [merged('sample', 'heart-rate', amountAt('beatsPerMinute'))],
  },
];
