import { unitOf } from '../../model/seeded.ts';
import type { RecordedDay } from '../../recording/types.ts';
import type { AccountDay, MinuteSource } from '../accounts/types.ts';

/** The series with a value per minute. */
export type MinuteSeries = 'steps' | 'distance' | 'floors' | 'elevation' | 'calories' | 'heart';

const dayMinutes = 1440;
const metresPerFloor = 3.048;
const climbingStepsMin = 70;
const climbingShare = 0.03;

/** One minute's value: km, metres, kcal, counts, beats a minute. Undefined when the heart rate was not measured. */
export function minuteValue(day: AccountDay, series: MinuteSeries, minute: number): number | undefined {
  return minute < dayMinutes ? valueOf(day, series, minute) : valueOf(day.again ?? day, series, minute - dayMinutes);
}

/** What the provider returns for a minute that the tracker has not synced: the basal rate, zeros, and no heart rate. */
export function fillingOf(recorded: RecordedDay | undefined, series: MinuteSeries): number | undefined {
  if (series === 'heart') return undefined;
  return series === 'calories' ? (recorded?.bmrPerMinute ?? 0) : 0;
}

function valueOf(day: MinuteSource, series: MinuteSeries, minute: number): number | undefined {
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
function floorsOf(day: MinuteSource, minute: number): number {
  const isBrisk = (day.recorded.steps[minute] ?? 0) >= climbingStepsMin;
  return isBrisk && unitOf(`floor:${day.recorded.date}:${minute}`) < climbingShare ? 1 : 0;
}
