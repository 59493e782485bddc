import { nutrientsFrom, type FoodNutrients } from './meal-record.ts';
import type { JsonNode } from '../../values/json-node.ts';
import { roundTo } from '../../values/numbers.ts';

const kilojoulesPerKcal = 4.184;

/** Kilocalories in one of each unit. The short names are those that some clients expect. */
const kcalPer: ReadonlyMap<unknown, number> = new Map([
  ['calories', 1],
  ['kilocalories', 1],
  ['kcal', 1],
  ['kilojoules', 1 / kilojoulesPerKcal],
  ['kj', 1 / kilojoulesPerKcal],
]);

/** An energy with its unit, in kcal; null when it is missing or the unit is unknown. */
export function readEnergy(energy: JsonNode): number | null {
  const value = energy.at('value').optional((node) => node.amount());
  const unit = energy.at('unit').value;
  const factor = kcalPer.get(typeof unit === 'string' ? unit.toLowerCase() : unit);
  return value === null || factor === undefined ? null : roundTo(value * factor, 3);
}

const keys: Readonly<Partial<Record<keyof FoodNutrients, string>>> = {
  carbs: 'carbohydrates',
  protein: 'protein',
  fibre: 'fiber',
  sugar: 'sugar',
  fat: 'fat',
  saturated: 'saturated_fat',
  monounsaturated: 'monounsaturated_fat',
  polyunsaturated: 'polyunsaturated_fat',
  sodium: 'sodium',
  potassium: 'potassium',
};

/**
 * The `nutritional_contents` of MyFitnessPal: any member may be null or missing. Cholesterol is in mg; vitamins, calcium and iron are
 * percentages of a daily value, which differs by country, and are omitted.
 */
export function readNutritionalContents(contents: JsonNode): FoodNutrients {
  return nutrientsFrom((name) => {
    if (name === 'energy') return readEnergy(contents.at('energy'));
    if (name === 'cholesterol') return contents.at('cholesterol').optional((node) => roundTo(node.amount() / 1000, 6));
    return contents.at(keys[name] ?? '').optional((node) => node.amount());
  });
}
