import type { AccountDay } from '../accounts/types.ts';
import { totalsOf } from './day-totals.ts';
import { heartZonesOf } from './heart-zones.ts';
import { round, toDistance, toElevation, type Units } from './units.ts';

/**
 * `/activities/date/{d}.json`. The day's workouts are in the activity list; here the provider repeats only those logged by hand, and there
 * are none.
 */
export function daySummary(day: AccountDay | undefined, units: Units): object {
  const totals = totalsOf(day);
  const distance = round(toDistance(totals.distanceKm, units));
  const [sedentaryMinutes, lightlyActiveMinutes, fairlyActiveMinutes, veryActiveMinutes] = totals.minutesByLevel;
  return {
    activities: [],
    goals: {},
    summary: {
      steps: totals.steps,
      caloriesOut: Math.round(totals.calories),
      caloriesBMR: Math.round(totals.caloriesBmr),
      activityCalories: Math.round(totals.activityCalories),
      marginalCalories: Math.round(totals.marginalCalories),
      floors: totals.floors,
      elevation: round(toElevation(totals.elevationM, units)),
      distances: [
        { activity: 'total', distance },
        { activity: 'tracker', distance },
      ],
      sedentaryMinutes,
      lightlyActiveMinutes,
      fairlyActiveMinutes,
      veryActiveMinutes,
      ...(day?.heart && { restingHeartRate: day.heart.restingBpm }),
      heartRateZones: heartZonesOf(day),
    },
  };
}
