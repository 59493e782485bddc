import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { mealRecord, nutrientsFrom, sumNutrients, type FoodNutrients } from '../../kit/records/meals/meal-record.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import type { JsonNode } from '../../kit/values/json-node.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { appSource } from '../google-fit.ts';
import { localTime, numberAt, readEachPoint, readTimes, valueAt, type LocalTime } from '../read-point.ts';

const keys: Readonly<Record<string, keyof FoodNutrients>> = {
  calories: 'energy',
  'carbs.total': 'carbs',
  protein: 'protein',
  dietary_fiber: 'fibre',
  sugar: 'sugar',
  cholesterol: 'cholesterol',
  'fat.total': 'fat',
  'fat.saturated': 'saturated',
  'fat.monounsaturated': 'monounsaturated',
  'fat.polyunsaturated': 'polyunsaturated',
  sodium: 'sodium',
  potassium: 'potassium',
  calcium: 'calcium',
  iron: 'iron',
  vitamin_c: 'vitaminC',
};

const meals: ReadonlyMap<number | null, string> = new Map([
  [2, 'Breakfast'],
  [3, 'Lunch'],
  [4, 'Dinner'],
  [5, 'Snack'],
]);

interface Food {
  readonly meal: string;
  readonly name: string;
  readonly start: LocalTime;
  readonly endMs: number;
  readonly nutrients: FoodNutrients;
}

/** Cholesterol is in mg, and in g in meals; minerals and vitamin C are in mg in both. Vitamin A is in units that depend on its form. */
function readNutrients(map: JsonNode): FoodNutrients {
  const amounts = new Map<keyof FoodNutrients, number>();
  for (const entry of map.itemsOrNone()) {
    const name = keys[entry.at('key').text()];
    const amount = entry
      .at('value')
      .at('fpVal')
      .optional((node) => node.amount());
    if (name !== undefined && amount !== null) amounts.set(name, roundTo(name === 'cholesterol' ? amount / 1000 : amount, 6));
  }
  return nutrientsFrom((name) => amounts.get(name) ?? null);
}

function readFood(point: JsonNode, context: RecordMaker): Food {
  const { startMs, endMs } = readTimes(point);
  return {
    meal: meals.get(numberAt(point, 1)) ?? 'Meal',
    name:
      valueAt(point, 2)
        .at('stringVal')
        .optional((node) => node.words()) || 'Food',
    start: localTime(startMs, context),
    endMs,
    nutrients: readNutrients(valueAt(point, 0).at('mapVal')),
  };
}

/** One sample for each time: two foods of a meal often have the same. */
function carbohydratesOf(foods: readonly Food[]): Sample[] {
  const byTime = Map.groupBy(
    foods.filter(({ nutrients }) => nutrients.carbs !== null),
    ({ start }) => start.ms,
  );
  return [...byTime].map(([ts, eaten]) => ({
    ts,
    end: Math.max(...eaten.map(({ endMs }) => endMs)),
    value: roundTo(
      eaten.reduce((sum, { nutrients }) => sum + (nutrients.carbs ?? 0), 0),
      6,
    ),
    timezoneOffset: eaten[0]?.start.offset ?? null,
    ...(eaten[0] && { offsetFrom: eaten[0].start.offsetFrom }),
  }));
}

/** All pages of `nutrition` of a window, one point for each food: a meal for each day and kind of meal, and its carbohydrates. */
export function mapMeals(bodies: readonly unknown[], context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const foods = bodies.flatMap((body) => readEachPoint('meal', body, quarantined, (point) => readFood(point, context)));
  const records = [...Map.groupBy(foods, ({ start, meal }) => `${start.day}/${meal}`).values()].map((eaten): CanonicalRecord => {
    const { start, meal } = eaten[0] as Food;
    return mealRecord(context, {
      day: start.day,
      name: meal,
      at: Math.min(...eaten.map((food) => food.start.ms)),
      sourceType: appSource,
      total: sumNutrients(eaten.map(({ nutrients }) => nutrients)),
      foods: eaten,
    });
  });
  return { records: [...records, ...context.samples('carbohydrates', appSource, carbohydratesOf(foods))], quarantined };
}
