import type { Quarantined } from '@pulsewire/contract';
import { JsonNode, readEach } from '../../../kit/values/json-node.ts';
import { buildActivitySummary, type ActivityTotals } from './activity-summary.ts';
import { isUnsynced, type MapContext, type Mapped } from '../../context/map-context.ts';

/** The series that together hold what the day summary holds. */
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

/** The values of one series, answers of `/1/user/-/activities/{series}/date/{start}/{end}.json`, by day. */
function readSeries(field: ActivityField, bodies: readonly unknown[], quarantined: Quarantined[]): ReadonlyMap<string, number> {
  return new Map(bodies.flatMap((body) => readDays(field, body, quarantined)));
}

function readDays(field: ActivityField, body: unknown, quarantined: Quarantined[]): (readonly [string, number])[] {
  const list = new JsonNode(body).at(`activities-${activitySeries[field]}`);
  return readEach('activity', list, quarantined, (item): readonly [string, number] | undefined => {
    const value = field === 'restingHeartRate' ? item.at('value').at('restingHeartRate') : item.at('value');
    // A day on which the watch found no resting heart rate has the entry without the figure.
    if (field === 'restingHeartRate' && value.isMissing) return undefined;
    return [item.at('dateTime').day(), value.amount()];
  });
}

/** Answers of the range series, by field and each in as many pieces as it took, as one activity summary for each day that has a step count. */
export function mapActivityRange(answers: Readonly<Partial<Record<ActivityField, readonly unknown[]>>>, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const fields = Object.keys(activitySeries) as ActivityField[];
  const series = new Map(
    fields.filter((field) => field in answers).map((field) => [field, readSeries(field, answers[field] ?? [], quarantined)]),
  );
  // Fitbit tells zeros of days that no tracker has handed over yet.
  const days = [...(series.get('steps') ?? [])].filter(([day, steps]) => steps > 0 || !isUnsynced(context, day)).map(([day]) => day);
  const records = days.map((day) => {
    const totals = Object.fromEntries(fields.map((field) => [field, series.get(field)?.get(day) ?? null]));
    return buildActivitySummary(day, totals as unknown as ActivityTotals, context);
  });
  return { records, quarantined };
}
