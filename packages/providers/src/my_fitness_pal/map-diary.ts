import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { app } from '../kit/my-fitness-pal/items.ts';
import { readWorkout } from '../kit/my-fitness-pal/read-workout.ts';
import { addUp } from '../kit/records/add-up.ts';
import { usualMealTime } from '../kit/records/meals/meal-hour.ts';
import { mealRecord, sumNutrients, type FoodNutrients } from '../kit/records/meals/meal-record.ts';
import { readNutritionalContents } from '../kit/records/meals/nutritional-contents.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { parseInstant } from '../kit/time/time.ts';
import type { MappedRecords } from '../kit/types/connector.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';

interface Food {
  readonly meal: string;
  readonly name: string;
  readonly consumedMs: number | null;
  readonly nutrients: FoodNutrients;
}

function readFood(entry: JsonNode): Food {
  const description = entry
    .at('food')
    .at('description')
    .optional((node) => node.words());
  return {
    meal: entry.at('meal_name').words(),
    name: description ?? 'Food',
    consumedMs: entry.at('consumed_at').optional((node) => node.time(parseInstant).ms),
    // What was eaten; the contents of the food itself are those of one serving.
    nutrients: readNutritionalContents(entry.at('nutritional_contents')),
  };
}

interface Eaten {
  readonly record: CanonicalRecord;
  readonly at: number;
  readonly carbs: number | null;
  readonly offset: number | null;
}

function buildMeal(day: string, name: string, foods: readonly Food[], context: RecordMaker): Eaten {
  const times = foods.flatMap(({ consumedMs }) => consumedMs ?? []);
  const zone = context.zoneOn(day);
  const at = times.length > 0 ? Math.min(...times) : usualMealTime(day, name, context).ms;
  const total = sumNutrients(foods.map(({ nutrients }) => nutrients));
  const record = mealRecord(context, { day, name, at, sourceType: app, total, foods });
  return { record, at, carbs: total.carbs, offset: zone.offsetAt(at) };
}

function readDay(node: JsonNode, context: RecordMaker, quarantined: Quarantined[]): { meals: Eaten[]; workouts: CanonicalRecord[] } {
  const day = node.at('date').day();
  const foods = node.at('food_entries').isMissing ? [] : readEach('meal', node.at('food_entries'), quarantined, readFood);
  const exercises = node.at('exercise_entries');
  return {
    meals: [...Map.groupBy(foods, ({ meal }) => meal)].map(([name, eaten]) => buildMeal(day, name, eaten, context)),
    workouts: exercises.isMissing ? [] : readEach('workouts', exercises, quarantined, (entry) => readWorkout(entry, day, context)),
  };
}

/** The days of a shared diary: a meal for each of the user's names of meals, its carbohydrates, and the workouts. */
export function mapDiary(body: unknown, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const root = new JsonNode(body);
  const list = root.at('reports').isMissing ? root : root.at('reports');
  const days = readEach('meal', list, quarantined, (day) => readDay(day, context, quarantined));
  const carbs = days.flatMap(({ meals }) =>
    meals.flatMap(({ at, carbs: value, offset }) => (value === null ? [] : { ts: at, end: at, value, timezoneOffset: offset })),
  );
  const records = [
    ...days.flatMap(({ meals }) => meals.map(({ record }) => record)),
    ...days.flatMap(({ workouts }) => workouts),
    ...context.samples('carbohydrates', app, addUp(carbs)),
  ];
  return { records, quarantined };
}
