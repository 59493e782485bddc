import { renderDateTime, type Summary } from '@pulsewire/contract';
import { roundTo } from '../../values/numbers.ts';
import type { RecordMaker } from '../record-maker.ts';

/** Nutrients of a food: energy in kcal, minerals and vitamin C in mg, everything else in g. null: unknown. */
export interface FoodNutrients {
  readonly energy: number | null;
  readonly carbs: number | null;
  readonly protein: number | null;
  readonly fibre: number | null;
  readonly sugar: number | null;
  readonly cholesterol: number | null;
  readonly fat: number | null;
  readonly saturated: number | null;
  readonly monounsaturated: number | null;
  readonly polyunsaturated: number | null;
  readonly sodium: number | null;
  readonly potassium: number | null;
  readonly magnesium: number | null;
  readonly calcium: number | null;
  readonly iron: number | null;
  readonly vitaminC: number | null;
  readonly alcohol: number | null;
}

export const nutrientNames = [
  'energy',
  'carbs',
  'protein',
  'fibre',
  'sugar',
  'cholesterol',
  'fat',
  'saturated',
  'monounsaturated',
  'polyunsaturated',
  'sodium',
  'potassium',
  'magnesium',
  'calcium',
  'iron',
  'vitaminC',
  'alcohol',
] as const satisfies readonly (keyof FoodNutrients)[];

/** Reads every nutrient by its name. */
export function nutrientsFrom(read: (name: keyof FoodNutrients) => number | null): FoodNutrients {
  return Object.fromEntries(nutrientNames.map((name) => [name, read(name)])) as unknown as FoodNutrients;
}

/** The sum of foods; a nutrient that none of them states stays unknown. */
export function sumNutrients(foods: readonly FoodNutrients[]): FoodNutrients {
  return nutrientsFrom((name) => {
    const known = foods.flatMap((food) => food[name] ?? []);
    return known.length === 0
      ? null
      : roundTo(
          known.reduce((sum, amount) => sum + amount, 0),
          4,
        );
  });
}

type Amounts = Readonly<Record<string, number>>;

/** Amounts by the names of the contract and in its units: see `packages/contract/src/summaries/meal-nutrients.ts`. */
export interface Micros {
  readonly minerals?: Amounts;
  readonly trace_elements?: Amounts;
  readonly vitamins?: Amounts;
}

const isUnknown = (group: Readonly<Record<string, unknown>>): boolean => Object.values(group).every((value) => value === null);

function stated(amounts: Readonly<Record<string, number | null>>): Record<string, number> {
  return Object.fromEntries(Object.entries(amounts).flatMap(([name, amount]) => (amount === null ? [] : [[name, amount]])));
}

function render(nutrients: FoodNutrients, more: Micros = {}) {
  const { energy, carbs, protein, fibre, sugar, cholesterol, alcohol, sodium, potassium, magnesium, calcium, iron } = nutrients;
  const { saturated, monounsaturated, polyunsaturated, fat: total } = nutrients;
  const fats = { saturated, monounsaturated, polyunsaturated, total };
  const macros = { carbs, protein, fibre, sugar, cholesterol, ...stated({ alcohol }), fats: isUnknown(fats) ? null : fats };
  const groups = {
    ...more,
    minerals: { ...stated({ sodium, potassium, magnesium, calcium, iron }), ...more.minerals },
    vitamins: { ...stated({ vitamin_c: nutrients.vitaminC }), ...more.vitamins },
  };
  const micros = Object.entries(groups).filter(([, amounts]) => Object.keys(amounts).length > 0);
  return {
    energy: energy === null ? null : { unit: 'kcal', value: energy },
    macros: isUnknown(macros) ? null : macros,
    micros: micros.length === 0 ? null : Object.fromEntries(micros),
  };
}

export interface MealParts {
  /** Local day and name of the meal identify it, so a later edit replaces it, unless there is an `externalId`. */
  readonly day: string;
  readonly name: string;
  readonly externalId?: string;
  /** ms since the epoch. */
  readonly at: number;
  readonly sourceType: string;
  readonly total: FoodNutrients;
  /** Further micronutrients of the whole meal. */
  readonly micros?: Micros;
  /** Absent when the provider reports only totals of a meal. Foods with the same name are summed. */
  readonly foods?: readonly { readonly name: string; readonly nutrients: FoodNutrients }[];
}

/** The summary of one meal. */
export function mealRecord(maker: RecordMaker, { externalId, day, name, at, sourceType, total, micros, foods }: MealParts): Summary {
  const byName = Map.groupBy(foods ?? [], (food) => food.name);
  const shares = [...byName].map(([food, eaten]) => [food, render(sumNutrients(eaten.map(({ nutrients }) => nutrients)))] as const);
  return maker.summary({
    resource: 'meal',
    sourceType,
    externalId: externalId ?? `${day}/${name}`,
    calendarDate: day,
    at,
    data: { timestamp: renderDateTime(at), name, ...render(total, micros), ...(foods && { data: Object.fromEntries(shares) }) },
  });
}
