import type { Summary } from '@pulsewire/contract';
import { utcMidnight } from '../../../kit/time/days.ts';
import type { JsonNode } from '../../../kit/values/json-node.ts';
import { roundTo } from '../../../kit/values/numbers.ts';
import { fitbitSummaryId, sourceOf, type MapContext } from '../../context/map-context.ts';

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
