import type { Person } from '../kit/person/person.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { dayNumber } from '../model/calendar.ts';
import { between, hash32 } from '../model/seeded.ts';

/** A food as it was noted: what was eaten of it, in kcal and grams. */
export interface Eaten {
  readonly id: string;
  readonly date: string;
  readonly meal: string;
  readonly mealPosition: number;
  readonly eatenMs: number;
  readonly description: string;
  readonly brand: string | null;
  readonly servings: number;
  readonly kcal: number;
  /** Only the energy was entered. */
  readonly isQuickAdd: boolean;
  /** Edited long after it was noted: the day that it belongs to changes later than newer ones. */
  readonly modifiedMs: number;
}

/** Number and names of the meals are the person's own. */
const plan = [
  { meal: 'Breakfast', hour: 8, foods: ['Rolled Oats', 'Blueberries'] },
  { meal: 'Lunch', hour: 12, foods: ['Lentil Soup', 'Rye Bread, “Vollkorn”', 'Rye Bread, “Vollkorn”'] },
  { meal: 'Après-midi 🍵', hour: 16, foods: ['Quick Add'] },
  { meal: 'Dinner', hour: 19, foods: ['Salmon', 'Potatoes, boiled'] },
] as const;

const brands: Readonly<Record<string, string | null>> = { Blueberries: '', Salmon: 'North Sea Co.' };
const eightDays = 8 * 86_400_000;

/** More digits than a double holds. */
const idOf = (key: string) =>
  `8${String(hash32(key)).padStart(10, '0')}${String(hash32(`${key}#`))
    .padStart(10, '0')
    .slice(-7)}`;

/** The foods of a day that were noted before the last sync; every ninth day has none. */
export function foodsOf(person: Person, day: PersonDay): readonly Eaten[] {
  if (dayNumber(day.date) % 9 === 0) return [];
  return plan.flatMap(({ meal, hour, foods }, mealPosition) => {
    const eatenMs = person.zone.toInstant(day.date, hour * 3600 + 600);
    if (eatenMs > person.syncedMs() || person.isRemoved(eatenMs)) return [];
    return foods.map((description, index): Eaten => {
      const key = `${person.name}|${day.date}|${meal}|${index}`;
      const isEdited = dayNumber(day.date) % 11 === 0 && eatenMs + eightDays < person.syncedMs();
      return {
        id: idOf(key),
        date: day.date,
        meal,
        mealPosition,
        eatenMs,
        description,
        brand: brands[description] ?? null,
        servings: 1 + (index % 2) / 2,
        kcal: between(key, 80, 380) + day.restingHr,
        isQuickAdd: description === 'Quick Add',
        modifiedMs: isEdited ? eatenMs + eightDays : Math.max(eatenMs + 300_000, day.isComplete ? day.updatedMs : 0),
      };
    });
  });
}

/** Some people count kilojoules. */
export function energyOf(person: Person, kcal: number): { readonly unit: string; readonly value: number } {
  return person.sex === 'female' ? { unit: 'calories', value: kcal } : { unit: 'kilojoules', value: Math.round(kcal * 41.84) / 10 };
}

const twoDigits = (value: number) => Math.round(value * 100) / 100;

/** Grams, milligrams of cholesterol, sodium and potassium, percent of a daily value. Any of them may be null or missing. */
export function contentsOf(person: Person, { kcal, isQuickAdd, description }: Eaten): Readonly<Record<string, unknown>> {
  const energy = energyOf(person, kcal);
  if (isQuickAdd) return { energy };
  const isSparse = description === 'Lentil Soup';
  return {
    energy,
    protein: twoDigits(kcal * 0.05),
    carbohydrates: twoDigits(kcal * 0.12),
    net_carbs: twoDigits(kcal * 0.11),
    fat: twoDigits(kcal * 0.034),
    saturated_fat: isSparse ? null : twoDigits(kcal * 0.011),
    polyunsaturated_fat: isSparse ? null : twoDigits(kcal * 0.006),
    monounsaturated_fat: isSparse ? null : twoDigits(kcal * 0.009),
    trans_fat: isSparse ? null : 0,
    fiber: twoDigits(kcal * 0.011),
    ...(!isSparse && { sugar: twoDigits(kcal * 0.03), added_sugars: 0, sugar_alcohols: null }),
    cholesterol: isSparse ? null : twoDigits(kcal * 0.12),
    sodium: twoDigits(kcal * 1.1),
    ...(!isSparse && { potassium: twoDigits(kcal * 1.4) }),
    vitamin_a: twoDigits(kcal * 0.02),
    vitamin_c: 12.5,
    vitamin_d: null,
    calcium: twoDigits(kcal * 0.02),
    iron: twoDigits(kcal * 0.03),
  };
}
