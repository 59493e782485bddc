import { renderDateTime, type CanonicalRecord, type Quarantined, type Sample, type Summary } from '@pulsewire/contract';
import { addDays, utcMidnight } from '../../kit/time/days.ts';
import { JsonNode, readEach, readWhole } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import { fitbitSummaryId, groupOf, sourceOf, type MapContext, type Mapped } from '../context/map-context.ts';

/** What Fitbit reports about a food: kcal, grams, sodium in mg. null: not reported. */
export interface Nutrients {
  readonly calories: number | null;
  readonly carbs: number | null;
  readonly fat: number | null;
  readonly fiber: number | null;
  readonly protein: number | null;
  readonly sodium: number | null;
}

const names = ['calories', 'carbs', 'fat', 'fiber', 'protein', 'sodium'] as const satisfies readonly (keyof Nutrients)[];

export const emptyNutrients: Nutrients = { calories: null, carbs: null, fat: null, fiber: null, protein: null, sodium: null };

/** The nutrients of one entry of the food log. A food that the user created has only calories and a name. */
export function readNutrients(food: JsonNode): Nutrients {
  const values = food.at('nutritionalValues');
  const amountOf = (name: keyof Nutrients): number | null => values.at(name).optional((node) => node.amount());
  const calories =
    amountOf('calories') ??
    food
      .at('loggedFood')
      .at('calories')
      .optional((node) => node.amount());
  return { ...(Object.fromEntries(names.map((name) => [name, amountOf(name)])) as unknown as Nutrients), calories };
}

/** The sum of both; a nutrient that neither reports stays null. */
export function sumNutrients(a: Nutrients, b: Nutrients): Nutrients {
  const sum = (name: keyof Nutrients): number | null =>
    a[name] === null && b[name] === null ? null : roundTo((a[name] ?? 0) + (b[name] ?? 0), 3);
  return Object.fromEntries(names.map((name) => [name, sum(name)])) as unknown as Nutrients;
}

/** The three groups of nutrients in wire format. */
export function nutrientsOnWire(nutrients: Nutrients): { energy: unknown; macros: unknown; micros: unknown } {
  const { calories, carbs, fat, fiber, protein, sodium } = nutrients;
  const hasMacros = [carbs, fat, fiber, protein].some((value) => value !== null);
  return {
    energy: calories === null ? null : { unit: 'kcal', value: calories },
    macros: hasMacros ? { carbs, protein, fats: { total: fat }, fibre: fiber } : null,
    micros: sodium === null ? null : { minerals: { sodium } },
  };
}

const mealNames: Readonly<Record<string, string>> = {
  1: 'Breakfast',
  2: 'Morning snack',
  3: 'Lunch',
  4: 'Afternoon snack',
  5: 'Dinner',
  7: 'Anytime',
};

const noonMs = 12 * 3_600_000;

interface FoodEntry {
  readonly mealTypeId: string;
  readonly name: string;
  readonly nutrients: Nutrients;
}

function readFood(food: JsonNode): FoodEntry {
  const logged = food.at('loggedFood');
  return { mealTypeId: logged.at('mealTypeId').id(), name: logged.at('name').words(), nutrients: readNutrients(food) };
}

function buildMeal(day: string, mealTypeId: string, foods: readonly FoodEntry[], context: MapContext): Summary {
  const source = sourceOf('app');
  const byName = new Map<string, Nutrients>();
  for (const food of foods) byName.set(food.name, sumNutrients(byName.get(food.name) ?? emptyNutrients, food.nutrients));
  const total = foods.reduce((sum, food) => sumNutrients(sum, food.nutrients), emptyNutrients);
  // Fitbit reports the day and the kind of meal, not the hour. Noon adds no information and is within the day.
  const at = context.zoneOn(day).toInstant(utcMidnight(day) + noonMs).ms;
  return {
    kind: 'summary',
    id: fitbitSummaryId(context, source, 'meal', `${day}/${mealTypeId}`),
    resource: 'meal',
    source,
    calendarDate: day,
    at,
    data: {
      timestamp: renderDateTime(at),
      name: mealNames[mealTypeId] ?? 'Meal',
      ...nutrientsOnWire(total),
      data: Object.fromEntries([...byName].map(([name, nutrients]) => [name, nutrientsOnWire(nutrients)])),
    },
  };
}

/** The day's water in ml, as one sample from midnight to midnight. A 0 is stored: it undoes a glass that was logged by mistake. */
function readWater(root: JsonNode, day: string, context: MapContext): CanonicalRecord[] {
  const value = root
    .at('summary')
    .at('water')
    .optional((node) => node.amount());
  return value === null ? [] : groupOf('water', 'app', [waterOf(day, value, context)]);
}

function waterOf(day: string, value: number, context: MapContext): Sample {
  const zone = context.zoneOn(day);
  const start = zone.startOfDay(day);
  return { ts: start.ms, end: zone.startOfDay(addDays(day, 1)).ms, value, timezoneOffset: start.offset };
}

/** The days with food in `/1/user/-/foods/log/caloriesIn/date/{start}/{end}.json`. */
export function readDaysWithFood(body: unknown): { readonly days: ReadonlySet<string>; readonly quarantined: readonly Quarantined[] } {
  const quarantined: Quarantined[] = [];
  const days = readEach('meal', new JsonNode(body).at('foods-log-caloriesIn'), quarantined, (entry) =>
    entry.at('value').amount() > 0 ? entry.at('dateTime').day() : undefined,
  );
  return { days: new Set(days), quarantined };
}

/** Maps `/1/user/-/foods/log/water/date/{start}/{end}.json` to the same samples as the responses of single days. */
export function mapWaterSeries(body: unknown, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const samples = readEach('water', new JsonNode(body).at('foods-log-water'), quarantined, (entry) =>
    waterOf(entry.at('dateTime').day(), entry.at('value').amount(), context),
  );
  return { records: groupOf('water', 'app', samples), quarantined };
}

/** Maps the response of `/1/user/-/foods/log/date/{d}.json` to a meal for each kind of meal of the day, and the day's water. */
export function mapFoods(body: unknown, day: string, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const root = new JsonNode(body);
  const foods = readEach('meal', root.at('foods'), quarantined, readFood);
  const meals = Map.groupBy(foods, (food) => food.mealTypeId);
  const records = [...meals].map(([mealTypeId, eaten]) => buildMeal(day, mealTypeId, eaten, context));
  const water = readWhole('water', quarantined, () => readWater(root, day, context)) ?? [];
  return { records: [...records, ...water], quarantined };
}
