import { unitOf } from '../../seeded.ts';
import type { AccountDay } from '../accounts/types.ts';

/** What a minute has a value of. */
export type MinuteSeries = 'steps' | 'distance' | 'floors' | 'elevation' | 'calories' | 'heart';

const metresPerFloor = 3.048;
const climbingStepsMin = 70;
const climbingShare = 0.03;

/** One minute's value: km, metres, kcal, counts, beats a minute. Undefined where the heart was not read. */
export function minuteValue(day: AccountDay, series: MinuteSeries, minute: number): number | undefined {
  switch (series) {
    case 'steps':
      return day.steps[minute] ?? 0;
    case 'distance':
      return (day.steps[minute] ?? 0) * day.recorded.kmPerStep;
    case 'floors':
      return floorsOf(day, minute);
    case 'elevation':
      return floorsOf(day, minute) * metresPerFloor;
    case 'calories':
      return day.recorded.calories[minute] ?? 0;
    case 'heart':
      return day.heart?.minuteMeans[minute] || undefined;
  }
}

// The volunteers' trackers had no altimeter: a small share of brisk minutes climbs one floor.
function floorsOf(day: AccountDay, minute: number): number {
  const isBrisk = (day.recorded.steps[minute] ?? 0) >= climbingStepsMin;
  return isBrisk && unitOf(`floor:${day.recorded.date}:${minute}`) < climbingShare ? 1 : 0;
}
