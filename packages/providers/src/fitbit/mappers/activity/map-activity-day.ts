import type { Quarantined, Summary } from '@pulsewire/contract';
import { JsonNode, readWhole } from '../../../kit/values/json-node.ts';
import { buildActivitySummary } from './activity-summary.ts';
import { isUnsynced, type MapContext, type Mapped } from '../../context/map-context.ts';

function totalDistanceKm(summary: JsonNode): number | null {
  const total = summary
    .at('distances')
    .itemsOrNone()
    .find((item) => item.at('activity').value === 'total');
  return total === undefined ? null : total.at('distance').amount();
}

/** Maps the response of `/1/user/-/activities/date/{d}.json` to that day's activity summary. */
export function mapActivityDay(body: unknown, day: string, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const amountOf = (node: JsonNode): number => node.amount();
  const record = readWhole('activity', quarantined, (): Summary | undefined => {
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
  return { records: record === undefined ? [] : [record], quarantined };
}
