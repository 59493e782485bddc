import { keyTextOf, numberOf, rowOf, spanOf, textOf, type LeftOut } from './read-item.ts';
import { sourceOf } from './source.ts';
import { as, perMinute, type SeriesRow } from './series.ts';
import type { PhoneItem, PhoneReading, PhoneUser } from './types.ts';
import type { Zones } from './zones.ts';

/** How a type of record becomes a reading. */
interface ReadingRow extends Pick<SeriesRow, 'convert'> {
  readonly kind: string;
  /** Several may begin at the same time, and count together. */
  readonly isNutrient?: boolean;
}

/** No measurement is larger. */
const valueMax = 1e12;

const heartRate = (kind: string): ReadingRow => ({ kind, convert: perMinute });
const energy: ReadingRow = { kind: 'energy', convert: as('kcal'), isNutrient: true };
const grams = (kind: string): ReadingRow => ({ kind, convert: as('g'), isNutrient: true });
const milligrams = (kind: string): ReadingRow => ({ kind, convert: as('mg'), isNutrient: true });

/** By the type of a record, like `seriesRows`. The kinds of nutrients are those of `FoodNutrients`. */
export const readingRows: Readonly<Record<string, ReadingRow>> = {
  RestingHeartRate: heartRate('resting'),
  RESTING_HEART_RATE: heartRate('resting'),
  WalkingHeartRateAverage: heartRate('walking'),
  DietaryEnergyConsumed: energy,
  DietaryCarbohydrates: grams('carbs'),
  DietaryProtein: grams('protein'),
  DietaryFatTotal: grams('fat'),
  DietaryFatSaturated: grams('saturated'),
  DietaryFatMonounsaturated: grams('monounsaturated'),
  DietaryFatPolyunsaturated: grams('polyunsaturated'),
  DietaryFiber: grams('fibre'),
  DietarySugar: grams('sugar'),
  DietaryCholesterol: grams('cholesterol'),
  DietarySodium: milligrams('sodium'),
  DietaryPotassium: milligrams('potassium'),
  DietaryMagnesium: milligrams('magnesium'),
  DietaryCalcium: milligrams('calcium'),
  DietaryIron: milligrams('iron'),
  DietaryVitaminC: milligrams('vitaminC'),
};

/** Kinds that are part of a day; all others are part of a meal. */
export const dayKinds: readonly string[] = ['resting', 'walking'];

/** A reading, or why there is none. */
export function readReading(name: string, item: PhoneItem, user: PhoneUser, zones: Zones): PhoneReading | LeftOut {
  const row = rowOf(readingRows, name);
  const span = spanOf(item);
  if (!row || !span) return 'bad_time';
  const given = numberOf(item['value']);
  const value = given === null ? null : row.convert(given, textOf(item['unit']) ?? '', item);
  const isGood = value !== null && value < valueMax && (row.isNutrient ? value >= 0 : value > 0);
  if (!isGood) return given !== null && value === null ? 'unknown_unit' : 'bad_number';
  const source = sourceOf(user, item);
  return {
    kind: row.kind,
    sourceType: source.type,
    appId: source.appId ?? '',
    atMs: span.startMs,
    slot: row.isNutrient ? value : 0,
    value,
    offset: zones.offsetOf(item, span.startMs),
    itemId: keyTextOf(item['id']) ?? '',
  };
}
