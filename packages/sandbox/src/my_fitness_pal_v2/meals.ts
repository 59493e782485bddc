import type { Person } from '../kit/person/person.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { dayNumber } from '../model/calendar.ts';
import { between } from '../model/seeded.ts';
import { energyOf } from './units.ts';

/** The third is named by the person. */
export const mealNames = ['Breakfast', 'Lunch', 'Élevenses & tea', 'Dinner'] as const;

const hourOf = { Breakfast: 8, Lunch: 12, 'Élevenses & tea': 15, Dinner: 19 } as const;
const leastKcal = { Breakfast: 280, Lunch: 450, 'Élevenses & tea': 90, Dinner: 550 } as const;
const twoDigits = (value: number) => Math.round(value * 100) / 100;

/** Grams; milligrams of cholesterol, sodium and potassium; percent of a daily value of vitamins, calcium and iron. */
function contentsOf(person: Person, name: string, kcal: number): object {
  const energy = energyOf(person, kcal);
  // Quick-added energy has nothing else.
  if (name === 'Élevenses & tea') return { energy };
  return {
    energy,
    fat: twoDigits((kcal * 0.3) / 9),
    saturated_fat: twoDigits(kcal * 0.011),
    // Foods that other people entered often have gaps.
    polyunsaturated_fat: name === 'Lunch' ? null : twoDigits(kcal * 0.004),
    monounsaturated_fat: name === 'Lunch' ? null : twoDigits(kcal * 0.012),
    trans_fat: 0,
    cholesterol: twoDigits(kcal * 0.15),
    sodium: twoDigits(kcal * 1.2),
    ...(name !== 'Dinner' && { potassium: twoDigits(kcal * 1.5) }),
    carbohydrates: twoDigits((kcal * 0.5) / 4),
    fiber: twoDigits(kcal * 0.012),
    sugar: twoDigits(kcal * 0.04),
    protein: twoDigits((kcal * 0.2) / 4),
    vitamin_a: twoDigits(kcal * 0.03),
    vitamin_c: twoDigits(kcal * 0.04),
    calcium: twoDigits(kcal * 0.02),
    iron: twoDigits(kcal * 0.03),
  };
}

/** The totals of each meal noted up to the last sync. Meals have no id; every ninth day nothing was noted. */
export function mealsOf(person: Person, day: PersonDay): readonly Readonly<Record<string, unknown>>[] {
  if (dayNumber(day.date) % 9 === 0) return [];
  return mealNames.flatMap((name) => {
    const eatenMs = person.zone.toInstant(day.date, hourOf[name] * 3600);
    if (eatenMs > person.syncedMs() || person.isRemoved(eatenMs)) return [];
    const kcal = between(`${person.name}|${name}|${day.date}`, leastKcal[name], leastKcal[name] + 200) + day.restingHr;
    return [{ type: 'diary_meal', date: day.date, diary_meal: name, nutritional_contents: contentsOf(person, name, kcal) }];
  });
}
