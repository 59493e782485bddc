import type { JsonNode } from '../../values/json-node.ts';

/**
 * True for a row with which MyFitnessPal adjusts the day's energy by what a tracker counted. Such a row is listed among the exercises
 * and is no workout. The flag is on the row or on its exercise; `deleted` of the exercise says nothing about the row.
 */
export function isCalorieAdjustment(entry: JsonNode): boolean {
  return entry.at('is_calorie_adjustment').value === true || entry.at('exercise').at('is_calorie_adjustment').value === true;
}
