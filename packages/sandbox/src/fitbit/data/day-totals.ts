import type { AccountDay } from '../accounts/types.ts';
import { minuteValue } from './minutes.ts';

/** Sums over the minutes of a day that the provider has so far. */
export interface DayTotals {
  readonly steps: number;
  readonly distanceKm: number;
  readonly floors: number;
  readonly elevationM: number;
  readonly calories: number;
  readonly caloriesBmr: number;
  readonly activityCalories: number;
  readonly marginalCalories: number;
  /** Minutes by intensity: sedentary, light, fair, very active. */
  readonly minutesByLevel: readonly [number, number, number, number];
}

/** Adds up a day; a day without data has zeros everywhere, as the provider returns for one. */
export function totalsOf(day: AccountDay | undefined): DayTotals {
  const totals = { steps: 0, distanceKm: 0, floors: 0, elevationM: 0, calories: 0, caloriesBmr: 0, activityCalories: 0, marginalCalories: 0 };
  const minutesByLevel: [number, number, number, number] = [0, 0, 0, 0];
  for (const minute of day?.minutes ?? []) {
    const value = (series: 'steps' | 'distance' | 'floors' | 'elevation' | 'calories') => minuteValue(day as AccountDay, series, minute) ?? 0;
    const source = minute < 1440 ? day : (day?.again ?? day);
    const level = (source?.recorded.intensity[minute % 1440] ?? 0) as 0 | 1 | 2 | 3;
    const bmr = source?.recorded.bmrPerMinute ?? 0;
    totals.steps += value('steps');
    totals.distanceKm += value('distance');
    totals.floors += value('floors');
    totals.elevationM += value('elevation');
    totals.calories += value('calories');
    totals.caloriesBmr += bmr;
    minutesByLevel[level] += 1;
    if (level === 0) continue;
    totals.activityCalories += value('calories');
    totals.marginalCalories += value('calories') - bmr;
  }
  return { ...totals, minutesByLevel };
}
