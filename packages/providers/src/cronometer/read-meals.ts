import type { Quarantined, Sample, Summary } from '@pulsewire/contract';
import { usualMealTime } from '../kit/records/meals/meal-hour.ts';
import { mealRecord, sumNutrients, type FoodNutrients, type MealParts } from '../kit/records/meals/meal-record.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { readEach, type JsonNode } from '../kit/values/json-node.ts';
import { app } from './cronometer.ts';
import { readDayTotal, readMacros, readMicros } from './nutrients.ts';

interface Group {
  readonly name: string;
  readonly total: FoodNutrients;
  readonly foods: readonly string[];
}

/** A group of foods. An empty one is only a heading of the diary, not a meal. */
function readGroup(node: JsonNode): Group | undefined {
  const foods = node
    .at('foods')
    .itemsOrNone()
    .map((food) => food.at('name').optional((name) => name.words()) ?? 'Food');
  const total = readMacros(node.at('macros'));
  if (foods.length === 0 && (total.energy ?? 0) === 0) return undefined;
  return { name: node.at('name').words(), total, foods };
}

const unknownNutrients = sumNutrients([]);

/** A meal and its carbohydrates. */
export interface Eaten {
  readonly meals: readonly Summary[];
  readonly carbs: readonly Sample[];
}

function buildMeal(parts: Pick<MealParts, 'day' | 'name' | 'total' | 'micros' | 'foods'>, context: RecordMaker): Eaten {
  const { ms, offset } = usualMealTime(parts.day, parts.name, context);
  const { carbs } = parts.total;
  return {
    meals: [mealRecord(context, { ...parts, at: ms, sourceType: app })],
    carbs: carbs === null ? [] : [{ ts: ms, end: ms, value: carbs, timezoneOffset: offset }],
  };
}

/** People name the groups themselves, so a name may occur twice in a day. */
function readGroups(day: string, foods: JsonNode, context: RecordMaker, quarantined: Quarantined[]): Eaten[] {
  const groups = readEach('meal', foods, quarantined, readGroup);
  return [...Map.groupBy(groups, ({ name }) => name)].map(([name, same]) => {
    const eaten = same.flatMap((group) => group.foods.map((food) => ({ name: food, nutrients: unknownNutrients })));
    return buildMeal({ day, name, total: sumNutrients(same.map(({ total }) => total)), foods: eaten }, context);
  });
}

/** The whole day as one meal, where the diary is not divided. */
function readUndivided(day: string, node: JsonNode, context: RecordMaker): Eaten[] {
  const total = readDayTotal(node);
  if ((total.energy ?? 0) === 0) return [];
  return [buildMeal({ day, name: 'Day', total, micros: readMicros(node.at('nutrients')) }, context)];
}

/** The meals of a day of the diary. */
export function readMeals(day: string, node: JsonNode, context: RecordMaker, quarantined: Quarantined[]): Eaten[] {
  const foods = node.at('foods');
  return foods.isMissing ? readUndivided(day, node, context) : readGroups(day, foods, context, quarantined);
}
