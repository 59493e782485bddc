import type { JsonNode } from '../../../kit/values/json-node.ts';
import { roundTo } from '../../../kit/values/numbers.ts';

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
