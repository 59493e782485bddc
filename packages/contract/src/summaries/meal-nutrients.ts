import { Type } from 'typebox';
import { optional, optionalNumber } from '../fields/fields.ts';

/** Keys of `micros.minerals`, in mg. */
export const minerals = ['sodium', 'potassium', 'calcium', 'phosphorus', 'magnesium', 'iron', 'zinc', 'fluoride', 'chloride'] as const;

/** Keys of `micros.trace_elements`, in µg, except copper and manganese in mg. */
export const traceElements = ['chromium', 'copper', 'iodine', 'manganese', 'molybdenum', 'selenium'] as const;

/** Keys of `micros.vitamins`, in µg for A, B12, D, K, biotin and folic acid, in mg for the rest. */
export const vitamins = [
  'vitamin_a',
  'vitamin_b1',
  'riboflavin',
  'niacin',
  'pantothenic_acid',
  'vitamin_b6',
  'biotin',
  'vitamin_b12',
  'vitamin_c',
  'vitamin_d',
  'vitamin_e',
  'vitamin_k',
  'folic_acid',
] as const;

function amounts(names: readonly string[], unit: string) {
  return optional(Type.Record(Type.String(), Type.Number()), { description: `${unit} Keys: ${names.join(', ')}.` });
}

export const Energy = Type.Object({ unit: Type.Literal('kcal'), value: Type.Number({ description: 'kcal.' }) });

const Fats = Type.Object({
  saturated: optionalNumber('g.'),
  monounsaturated: optionalNumber('g.'),
  polyunsaturated: optionalNumber('g.'),
  omega3: optionalNumber('g.'),
  omega6: optionalNumber('g.'),
  total: optionalNumber('g.'),
});

export const Macros = Type.Object({
  carbs: optionalNumber('g.'),
  protein: optionalNumber('g.'),
  fats: optional(Fats),
  alcohol: optionalNumber('g.'),
  water: optionalNumber('g.'),
  fibre: optionalNumber('g.'),
  sugar: optionalNumber('g.'),
  cholesterol: optionalNumber('g.'),
});

export const Micros = Type.Object({
  minerals: amounts(minerals, 'mg.'),
  trace_elements: amounts(traceElements, 'µg, except copper and manganese in mg.'),
  vitamins: amounts(vitamins, 'µg for A, B12, D, K, biotin and folic acid, mg for the rest.'),
});
