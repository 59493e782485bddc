import { nutrientsFrom, type FoodNutrients, type Micros } from '../kit/records/meals/meal-record.ts';
import { roundTo } from '../kit/values/numbers.ts';
import type { JsonNode } from '../kit/values/json-node.ts';

const macroKeys: Readonly<Partial<Record<keyof FoodNutrients, string>>> = {
  energy: 'kcal',
  carbs: 'total_carbs',
  protein: 'protein',
  fibre: 'fiber',
  fat: 'fat',
  alcohol: 'alcohol',
  sodium: 'sodium',
  potassium: 'potassium',
  magnesium: 'magnesium',
};

/** The totals of a group of foods or of a day: kcal, g and mg, as meals have them. */
export function readMacros(macros: JsonNode): FoodNutrients {
  return nutrientsFrom((name) => macros.at(macroKeys[name] ?? '').optional((node) => roundTo(node.amount(), 3)));
}

/** An amount of the open list of a day's nutrients. 0 also stands for foods that do not state the nutrient, so it is unknown. */
export function nutrientOf(nutrients: JsonNode, name: string): number | null {
  const amount = nutrients.at(name).optional((node) => node.amount());
  return amount === 0 ? null : amount;
}

/** Names of the nutrients that only a day has, with the factor to grams. */
const dayKeys: Readonly<Partial<Record<keyof FoodNutrients, readonly [name: string, factor: number]>>> = {
  sugar: ['Sugars', 1],
  saturated: ['Saturated', 1],
  monounsaturated: ['Monounsaturated', 1],
  polyunsaturated: ['Polyunsaturated', 1],
  cholesterol: ['Cholesterol', 0.001],
};

/** The totals of a whole day. */
export function readDayTotal(day: JsonNode): FoodNutrients {
  const macros = readMacros(day.at('macros'));
  return nutrientsFrom((name) => {
    const [key, factor] = dayKeys[name] ?? ['', 1];
    const amount = key === '' ? macros[name] : nutrientOf(day.at('nutrients'), key);
    return amount === null ? null : roundTo(amount * factor, 6);
  });
}

type Names = Readonly<Record<string, string>>;

const minerals: Names = { calcium: 'Calcium', iron: 'Iron', phosphorus: 'Phosphorus', zinc: 'Zinc' };
const traceElements: Names = { copper: 'Copper', manganese: 'Manganese', selenium: 'Selenium' };
const vitamins: Names = {
  // Public sources contradict each other about the unit of `Vitamin A`.
  vitamin_a: 'Retinol Activity Equivalent',
  vitamin_b1: 'B1 (Thiamine)',
  riboflavin: 'B2 (Riboflavin)',
  niacin: 'B3 (Niacin)',
  pantothenic_acid: 'B5 (Pantothenic Acid)',
  vitamin_b6: 'B6 (Pyridoxine)',
  vitamin_b12: 'B12 (Cobalamin)',
  vitamin_c: 'Vitamin C',
  vitamin_d: 'Vitamin D',
  vitamin_e: 'Vitamin E',
  vitamin_k: 'Vitamin K',
  folic_acid: 'Folate',
};

/** Cronometer's units are those of the contract, except vitamin D: international units, of which 40 are a µg. */
const factors: Readonly<Record<string, number>> = { vitamin_d: 1 / 40 };

function pick(nutrients: JsonNode, names: Names): Record<string, number> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([key, name]) => {
      const amount = nutrientOf(nutrients, name);
      return amount === null ? [] : [[key, roundTo(amount * (factors[key] ?? 1), 4)]];
    }),
  );
}

/** The micronutrients of a day, which no group of foods states. */
export function readMicros(nutrients: JsonNode): Micros {
  return { minerals: pick(nutrients, minerals), trace_elements: pick(nutrients, traceElements), vitamins: pick(nutrients, vitamins) };
}
