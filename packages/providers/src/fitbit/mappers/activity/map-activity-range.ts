import type { Quarantined } from '@pulsewire/contract';
import { rawOfParts } from '../../../kit/records/raw-of.ts';
import { JsonNode, readEach } from '../../../kit/values/json-node.ts';
import { buildActivitySummary, type ActivityTotals } from './activity-summary.ts';
import { isUnsynced, type MapContext, type Mapped } from '../../context/map-context.ts';

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
