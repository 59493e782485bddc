import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { usualMealTime } from '../kit/records/meals/meal-hour.ts';
import { mealRecord, sumNutrients, type FoodNutrients } from '../kit/records/meals/meal-record.ts';
import { readMeasuredLength } from '../kit/records/measured-length.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { addUp } from '../kit/records/add-up.ts';
import { workoutRecord } from '../kit/records/workout-record.ts';
import { utcMidnight } from '../kit/time/days.ts';
import { parseInstant } from '../kit/time/time.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import { readEnergy, readNutritionalContents } from '../kit/records/meals/nutritional-contents.ts';
import { sportByWords } from '../kit/values/sport-by-words.ts';
import type { MappedRecords } from '../kit/types/connector.ts';
import { app } from './my-fitness-pal.ts';

const hourMs = 3_600_000;

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

function readWorkout(entry: JsonNode, day: string, context: RecordMaker): CanonicalRecord | undefined {
  // Rows that adjust the day's energy by its steps are no workouts.
  if (entry.at('is_calorie_adjustment').value === true) return undefined;
  const title = entry
    .at('exercise')
    .at('description')
    .optional((node) => node.words());
  const zone = context.zoneOn(day);
  const startMs =
    entry.at('start_time').optional((node) => node.time(parseInstant).ms) ?? zone.toInstant(utcMidnight(day) + 12 * hourMs).ms;
  const seconds = entry.at('duration').optional((node) => Math.round(node.amount())) ?? 0;
  const whole = (key: string) => entry.at(key).optional((node) => Math.round(node.amount()));
  return workoutRecord(context, {
    raw: entry,
    externalId: entry.at('id').id(),
    sourceType: app,
    day,
    startMs,
    endMs: startMs + seconds * 1000,
    offset: zone.offsetAt(startMs),
    title,
    sport: sportByWords(title ?? ''),
    data: {
      calories: readEnergy(entry.at('energy')),
      average_hr: whole('avg_heart_rate'),
      max_hr: whole('max_heart_rate'),
      // A bare number has no unit.
      distance: readMeasuredLength(entry.at('distance')),
      moving_time: seconds === 0 ? null : seconds,
      total_elevation_gain: readMeasuredLength(entry.at('elevation_change')),
    },
  });
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
