import type { JsonNode } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';

/** Nutrients of a food in grams, by Google's names, and its energy in kcal. */
export interface Nutrients {
  readonly kcal: number | null;
  readonly grams: ReadonlyMap<string, number>;
}

export const noNutrients: Nutrients = { kcal: null, grams: new Map() };

/** Carbohydrates and fat are members of their own; the list may repeat the former. */
export function readNutrients(log: JsonNode): Nutrients {
  const grams = new Map<string, number>();
  for (const item of log.at('nutrients').itemsOrNone()) {
    const amount = item
      .at('quantity')
      .at('grams')
      .optional((node) => node.amount());
    if (amount !== null) grams.set(item.at('nutrient').text(), amount);
  }
  for (const [key, name] of [
    ['totalCarbohydrate', 'CARBOHYDRATES'],
    ['totalFat', 'TOTAL_FAT'],
  ] as const) {
    const amount = log
      .at(key)
      .at('grams')
      .optional((node) => node.amount());
    if (amount !== null) grams.set(name, amount);
  }
  const kcal = log
    .at('energy')
    .at('kcal')
    .optional((node) => node.amount());
  return { kcal, grams };
}

export function sumNutrients(a: Nutrients, b: Nutrients): Nutrients {
  const grams = new Map(a.grams);
  for (const [name, amount] of b.grams) grams.set(name, (grams.get(name) ?? 0) + amount);
  return { kcal: a.kcal === null && b.kcal === null ? null : (a.kcal ?? 0) + (b.kcal ?? 0), grams };
}

type Names = Readonly<Record<string, string>>;

const minerals: Names = {
  sodium: 'SODIUM',
  potassium: 'POTASSIUM',
  calcium: 'CALCIUM',
  phosphorus: 'PHOSPHORUS',
  magnesium: 'MAGNESIUM',
  iron: 'IRON',
  zinc: 'ZINC',
  chloride: 'CHLORIDE',
};
const microgramElements: Names = { chromium: 'CHROMIUM', iodine: 'IODINE', molybdenum: 'MOLYBDENUM', selenium: 'SELENIUM' };
const milligramElements: Names = { copper: 'COPPER', manganese: 'MANGANESE' };
const microgramVitamins: Names = {
  vitamin_a: 'VITAMIN_A',
  biotin: 'BIOTIN',
  vitamin_b12: 'VITAMIN_B12',
  vitamin_d: 'VITAMIN_D',
  vitamin_k: 'VITAMIN_K',
  folic_acid: 'FOLIC_ACID',
};
const milligramVitamins: Names = {
  vitamin_b1: 'THIAMIN',
  riboflavin: 'RIBOFLAVIN',
  niacin: 'NIACIN',
  pantothenic_acid: 'PANTOTHENIC_ACID',
  vitamin_b6: 'VITAMIN_B6',
  vitamin_c: 'VITAMIN_C',
  vitamin_e: 'VITAMIN_E',
};

function pick({ grams }: Nutrients, names: Names, factor: number): Record<string, number> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([key, name]) => {
      const amount = grams.get(name);
      return amount === undefined ? [] : [[key, roundTo(amount * factor, 3)]];
    }),
  );
}

const orNull = <T extends object>(found: T): T | null => (Object.keys(found).length === 0 ? null : found);

/** The three groups of nutrients as meals show them. */
export function nutrientsOnWire(nutrients: Nutrients) {
  const gramsOf = (name: string) => {
    const amount = nutrients.grams.get(name);
    return amount === undefined ? null : roundTo(amount, 3);
  };
  const fats = {
    saturated: gramsOf('SATURATED_FAT'),
    monounsaturated: gramsOf('MONOUNSATURATED_FAT'),
    polyunsaturated: gramsOf('POLYUNSATURATED_FAT'),
    total: gramsOf('TOTAL_FAT'),
  };
  const macros = {
    carbs: gramsOf('CARBOHYDRATES'),
    protein: gramsOf('PROTEIN'),
    fibre: gramsOf('DIETARY_FIBER'),
    sugar: gramsOf('SUGAR'),
    cholesterol: gramsOf('CHOLESTEROL'),
    fats: Object.values(fats).every((value) => value === null) ? null : fats,
  };
  const micros = orNull({
    ...named('minerals', pick(nutrients, minerals, 1000)),
    ...named('trace_elements', { ...pick(nutrients, microgramElements, 1_000_000), ...pick(nutrients, milligramElements, 1000) }),
    ...named('vitamins', { ...pick(nutrients, microgramVitamins, 1_000_000), ...pick(nutrients, milligramVitamins, 1000) }),
  });
  return {
    energy: nutrients.kcal === null ? null : { unit: 'kcal', value: roundTo(nutrients.kcal, 3) },
    macros: Object.values(macros).every((value) => value === null) ? null : macros,
    micros,
  };
}

function named(name: string, found: Record<string, number>): Record<string, Record<string, number>> {
  return Object.keys(found).length === 0 ? {} : { [name]: found };
}
