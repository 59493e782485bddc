import { renderDateTime, type CanonicalRecord, type Quarantined, type Sample } from '@pulsewire/contract';
import { roundTo } from '../../kit/values/numbers.ts';
import type { JsonNode } from '../../kit/values/json-node.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { readEachPoint, readInterval, type PointInterval } from '../read-point.ts';
import { noNutrients, nutrientsOnWire, readNutrients, sumNutrients, type Nutrients } from './nutrients.ts';

interface Food {
  readonly mealType: string;
  readonly name: string;
  readonly times: PointInterval;
  readonly nutrients: Nutrients;
}

function readFood(point: JsonNode, context: RecordMaker): Food {
  const log = point.at('nutritionLog');
  return {
    mealType: log.at('mealType').optional((node) => node.text()) ?? 'ANYTIME',
    name: log.at('foodDisplayName').optional((node) => node.words()) ?? 'Food',
    times: readInterval(log, context),
    nutrients: readNutrients(log),
  };
}

/** `BEFORE_LUNCH` as `Before lunch`. */
function titleOf(mealType: string): string {
  const words = mealType.toLowerCase().replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function buildMeal(foods: readonly [Food, ...Food[]], context: RecordMaker): CanonicalRecord {
  const [first] = foods;
  const { day } = first.times.start;
  const at = Math.min(...foods.map(({ times }) => times.start.ms));
  const byName = new Map<string, Nutrients>();
  for (const { name, nutrients } of foods) byName.set(name, sumNutrients(byName.get(name) ?? noNutrients, nutrients));
  const total = foods.reduce((sum, { nutrients }) => sumNutrients(sum, nutrients), noNutrients);
  return context.summary({
    resource: 'meal',
    sourceType: 'app',
    externalId: `${day}/${first.mealType}`,
    calendarDate: day,
    at,
    data: {
      timestamp: renderDateTime(at),
      name: titleOf(first.mealType),
      ...nutrientsOnWire(total),
      data: Object.fromEntries([...byName].map(([name, nutrients]) => [name, nutrientsOnWire(nutrients)])),
    },
  });
}

/** One sample for each time at which any of the nutrient was logged: two foods of one meal often have the same time. */
function samplesOf(foods: readonly Food[], nutrient: string): Sample[] {
  const byTime = new Map<number, Sample>();
  for (const { times, nutrients } of foods) {
    const grams = nutrients.grams.get(nutrient);
    if (grams === undefined) continue;
    const { start, end } = times;
    const known = byTime.get(start.ms);
    const value = roundTo((known?.value ?? 0) + grams, 6);
    const endMs = Math.max(known?.end ?? end.ms, end.ms);
    byTime.set(start.ms, { ts: start.ms, end: endMs, value, timezoneOffset: start.offset, offsetFrom: start.offsetFrom });
  }
  return [...byTime.values()];
}

/** All pages of `nutrition-log` of a window: a meal for each day and kind of meal, its carbohydrates and caffeine. */
export function mapMeals(bodies: readonly unknown[], context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const foods = bodies.flatMap((body) => readEachPoint('meal', body, quarantined, (point) => readFood(point, context)));
  const meals = Map.groupBy(foods, ({ times, mealType }) => `${times.start.day}/${mealType}`);
  const records = [...meals.values()].map((eaten) => buildMeal(eaten as [Food, ...Food[]], context));
  return {
    records: [
      ...records,
      ...context.samples('carbohydrates', 'app', samplesOf(foods, 'CARBOHYDRATES')),
      ...context.samples('caffeine', 'app', samplesOf(foods, 'CAFFEINE')),
    ],
    quarantined,
  };
}
