import type { Quarantined, Summary } from '@pulsewire/contract';
import { mapWhole } from '../../kit/records/map-records.ts';
import { rawOfParts } from '../../kit/records/raw-of.ts';
import { utcMidnight } from '../../kit/time/days.ts';
import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import { fitbitSummaryId, isUnsynced, sourceOf, type MapContext, type Mapped } from '../context/map-context.ts';

/** A day's totals as Fitbit counts them; null: not reported. */
export interface ActivityTotals {
  readonly steps: number | null;
  readonly distanceKm: number | null;
  readonly floors: number | null;
  readonly caloriesOut: number | null;
  readonly activityCalories: number | null;
  readonly lightlyActiveMinutes: number | null;
  readonly fairlyActiveMinutes: number | null;
  readonly veryActiveMinutes: number | null;
  readonly restingHeartRate: number | null;
}

/** The activity summary of one day. */
export function buildActivitySummary(day: string, totals: ActivityTotals, raw: JsonNode, context: MapContext): Summary {
  const source = sourceOf('watch');
  const zone = context.zoneOn(day);
  const resting = totals.restingHeartRate;
  return {
    kind: 'summary',
    id: fitbitSummaryId(context, source, 'activity', day),
    resource: 'activity',
    source,
    calendarDate: day,
    at: utcMidnight(day),
    raw: { externalId: day, data: raw.value },
    data: {
      calories_total: totals.caloriesOut,
      calories_active: totals.activityCalories,
      steps: totals.steps,
      // The day summary has kilometres with two decimals, the range series more. With the same rounding, both sources produce the same
      // record of a day.
      distance: totals.distanceKm === null ? null : Math.round(roundTo(totals.distanceKm, 2) * 1000),
      low: totals.lightlyActiveMinutes,
      medium: totals.fairlyActiveMinutes,
      high: totals.veryActiveMinutes,
      floors_climbed: totals.floors,
      time_zone: zone.name,
      timezone_offset: zone.startOfDay(day).offset,
      heart_rate: resting === null ? null : { resting_bpm: resting },
    },
  };
}

function totalDistanceKm(summary: JsonNode): number | null {
  const total = summary
    .at('distances')
    .itemsOrNone()
    .find((item) => item.at('activity').value === 'total');
  return total === undefined ? null : total.at('distance').amount();
}

/** Maps the response of `/1/user/-/activities/date/{d}.json` to that day's activity summary. */
export function mapActivityDay(body: unknown, day: string, context: MapContext): Mapped {
  const amountOf = (node: JsonNode): number => node.amount();
  return mapWhole('activity', () => {
    const summary = new JsonNode(body).at('summary');
    const totals = {
      steps: summary.at('steps').amount(),
      distanceKm: totalDistanceKm(summary),
      floors: summary.at('floors').optional(amountOf),
      caloriesOut: summary.at('caloriesOut').optional(amountOf),
      activityCalories: summary.at('activityCalories').optional(amountOf),
      lightlyActiveMinutes: summary.at('lightlyActiveMinutes').optional(amountOf),
      fairlyActiveMinutes: summary.at('fairlyActiveMinutes').optional(amountOf),
      veryActiveMinutes: summary.at('veryActiveMinutes').optional(amountOf),
      restingHeartRate: summary.at('restingHeartRate').optional(amountOf),
    };
    return totals.steps === 0 && isUnsynced(context, day) ? undefined : buildActivitySummary(day, totals, summary, context);
  });
}

/** The series that together contain the data of the day summary. */
export const activitySeries = {
  steps: 'steps',
  distanceKm: 'distance',
  floors: 'floors',
  caloriesOut: 'calories',
  activityCalories: 'activityCalories',
  lightlyActiveMinutes: 'minutesLightlyActive',
  fairlyActiveMinutes: 'minutesFairlyActive',
  veryActiveMinutes: 'minutesVeryActive',
  restingHeartRate: 'heart',
} as const satisfies Record<keyof ActivityTotals, string>;

export type ActivityField = keyof ActivityTotals;

interface DayValue {
  readonly value: number;
  readonly item: JsonNode;
}

/** The values of one series by day, from responses of `/1/user/-/activities/{series}/date/{start}/{end}.json`. */
function readSeries(field: ActivityField, bodies: readonly unknown[], quarantined: Quarantined[]): ReadonlyMap<string, DayValue> {
  return new Map(bodies.flatMap((body) => readDays(field, body, quarantined)));
}

function readDays(field: ActivityField, body: unknown, quarantined: Quarantined[]): (readonly [string, DayValue])[] {
  const list = new JsonNode(body).at(`activities-${activitySeries[field]}`);
  return readEach('activity', list, quarantined, (item): readonly [string, DayValue] | undefined => {
    const value = field === 'restingHeartRate' ? item.at('value').at('restingHeartRate') : item.at('value');
    // On a day without a resting heart rate the entry exists but has no value.
    if (field === 'restingHeartRate' && value.isMissing) return undefined;
    return [item.at('dateTime').day(), { value: value.amount(), item }];
  });
}

/**
 * Maps the responses of the range series, by field and each in as many parts as needed, to an activity summary for each day with a step
 * count.
 */
export function mapActivityRange(responses: Readonly<Partial<Record<ActivityField, readonly unknown[]>>>, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const fields = Object.keys(activitySeries) as ActivityField[];
  const series = new Map(
    fields.filter((field) => field in responses).map((field) => [field, readSeries(field, responses[field] ?? [], quarantined)]),
  );
  // Fitbit returns zeros for days that no tracker has uploaded yet.
  const days = [...(series.get('steps') ?? [])]
    .filter(([day, { value: steps }]) => steps > 0 || !isUnsynced(context, day))
    .map(([day]) => day);
  const records = days.map((day) => {
    const totals = Object.fromEntries(fields.map((field) => [field, series.get(field)?.get(day)?.value ?? null]));
    const raw = rawOfParts(Object.fromEntries(fields.map((field) => [activitySeries[field], series.get(field)?.get(day)?.item])));
    return buildActivitySummary(day, totals as unknown as ActivityTotals, raw, context);
  });
  return { records, quarantined };
}
