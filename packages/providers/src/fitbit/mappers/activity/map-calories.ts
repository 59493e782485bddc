import type { Quarantined } from '@pulsewire/contract';
import { JsonNode, readEach } from '../../../kit/values/json-node.ts';
import { roundTo } from '../../../kit/values/numbers.ts';
import { groupOf, type MapContext, type Mapped } from '../../context/map-context.ts';
import { allMinutes, readDayTotals, readMinutes } from './map-minutes.ts';

const minutesPerDay = 1440;

/** Basal energy by day from `/1/user/-/activities/caloriesBMR/date/{start}/{end}.json`, kcal. */
export function readBasalByDay(body: unknown, quarantined: Quarantined[]): ReadonlyMap<string, number> {
  const list = new JsonNode(body).at('activities-caloriesBMR');
  return new Map(readEach('calories_active', list, quarantined, (item) => [item.at('dateTime').day(), item.at('value').amount()] as const));
}

/**
 * Minutes of `/1/user/-/activities/calories/date/{d}/1d/1min.json` as energy from movement. Fitbit's value includes the basal rate, which
 * is subtracted evenly over the day. `basalOfDay` must be of a completed day: the value of the current day grows, so each minute would
 * change with every sync. Undefined when the response has no minutes.
 */
export function mapCaloriesActive(body: unknown, basalOfDay: number, day: string, context: MapContext): Mapped | undefined {
  const quarantined: Quarantined[] = [];
  const basalOfMinute = basalOfDay / minutesPerDay;
  const convert = (kcal: number): number => Math.max(0, roundTo(kcal - basalOfMinute, 3));
  const options = { resource: 'calories_active', series: 'calories', day, convert };
  const samples = readMinutes(body, options, context, quarantined);
  if (samples === undefined) return undefined;
  const allOf = allMinutes('calories_active', day, samples, context);
  return { records: groupOf('calories_active', 'watch', samples), quarantined, allOf };
}

/** Maps the range of `caloriesBMR` to one sample per day, from midnight to midnight. */
export function mapCaloriesBasal(body: unknown, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const options = { resource: 'calories_basal', series: 'caloriesBMR', convert: (kcal: number) => kcal, fillsUp: true };
  return { records: groupOf('calories_basal', 'watch', readDayTotals(body, options, context, quarantined)), quarantined };
}

/** Maps the range of `activityCalories` to one sample per day: for applications without access to minutes. */
export function mapCaloriesActiveTotals(body: unknown, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const options = { resource: 'calories_active', series: 'activityCalories', convert: (kcal: number) => kcal };
  return { records: groupOf('calories_active', 'watch', readDayTotals(body, options, context, quarantined)), quarantined };
}
