import type { Person } from '../kit/person/person.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { addDays, dayNumber } from '../model/calendar.ts';
import { between } from '../model/seeded.ts';

/** A group of foods, which has totals; the foods in it have none. */
interface Meal {
  readonly name: string;
  readonly kcal: number;
  readonly foods: readonly { readonly name: string; readonly serving: string }[];
}

const hour = 3_600_000;
/** When each group is logged, which no response contains. The second has a name chosen by the person. */
const plan = [
  { name: 'Breakfast', hour: 8, low: 300, food: { name: 'Rolled Oats', serving: '40 - g' } },
  { name: 'Second breakfast', hour: 10, low: 80, food: { name: 'Café au lait', serving: '1 - cup' } },
  { name: 'Lunch', hour: 12, low: 500, food: { name: 'Lentil Soup', serving: '350 - g' } },
  { name: 'Dinner', hour: 19, low: 600, food: { name: 'Rye Bread, “Vollkorn”', serving: '2 - slices' } },
] as const;
const range = 250;

const gramsPer = (kcal: number, kcalPerGram: number, share: number): number => Math.round(((kcal * share) / kcalPerGram) * 10) / 10;

/** The meals logged up to the last sync. A revised day has other values, and every ninth day is empty. */
export function mealsOf(person: Person, day: PersonDay): readonly Meal[] {
  if (dayNumber(day.date) % 9 === 0) return [];
  return plan.flatMap(({ name, hour: at, low, food }) => {
    const noted = person.zone.toInstant(day.date, at * 3600) + hour / 2;
    if (noted > person.syncedMs() || person.isRemoved(person.zone.toInstant(day.date, at * 3600))) return [];
    const kcal = between(`${person.name}|${name}|${day.date}`, low, low + range) + day.restingHr;
    return [{ name, kcal, foods: [food, { name: 'Water, tap', serving: '' }] }];
  });
}

export function macrosOf(meals: readonly Meal[]): Readonly<Record<string, number>> {
  const kcal = meals.reduce((sum, meal) => sum + meal.kcal, 0);
  const carbs = gramsPer(kcal, 4, 0.5);
  return {
    kcal,
    protein: gramsPer(kcal, 4, 0.2),
    fat: gramsPer(kcal, 9, 0.3),
    total_carbs: carbs,
    net_carbs: Math.round(carbs * 9) / 10,
    fiber: Math.round(carbs) / 10,
    alcohol: 0,
    sodium: Math.round(kcal * 1.1),
    potassium: Math.round(kcal * 1.6),
    magnesium: Math.round(kcal / 6),
  };
}

/** Names with blanks and brackets, and no units; one has no figure. */
function nutrientsOf(meals: readonly Meal[]): Readonly<Record<string, number | null>> {
  const { kcal = 0, total_carbs: carbs = 0, fat = 0, protein = 0, sodium = 0 } = macrosOf(meals);
  return {
    Energy: kcal,
    Carbs: carbs,
    Fat: fat,
    Protein: protein,
    Saturated: Math.round(fat * 3) / 10,
    Monounsaturated: Math.round(fat * 4) / 10,
    Polyunsaturated: Math.round(fat * 2) / 10,
    'Trans-Fats': 0,
    Sugars: Math.round(carbs * 2) / 10,
    Cholesterol: Math.round(kcal / 10),
    Sodium: sodium,
    Calcium: Math.round(kcal / 2),
    Iron: Math.round(kcal / 150),
    'B1 (Thiamine)': 1.1,
    'B12 (Cobalamin)': 2.3,
    'Vitamin C': 80,
    'Vitamin D': 220,
    'Lutein+Zeaxanthin': 900,
    'Retinol Activity Equivalent': null,
    Water: meals.length * 450,
    Caffeine: meals.some(({ name }) => name === 'Second breakfast') ? 95 : 0,
  };
}

/** Whether a range leaves this day out: only every second of the empty ones is listed. */
export const isLeftOut = (person: Person, day: PersonDay): boolean =>
  mealsOf(person, day).length === 0 && day.isComplete && dayNumber(day.date) % 2 === 0;

/** Every eighth day has totals only, although its groups were requested: the field is null, or on others missing. */
function groupsOf({ date }: PersonDay, meals: readonly Meal[]): object {
  const turn = dayNumber(date) % 16;
  if (turn === 5) return { foods: null };
  return turn === 13 ? {} : { foods: meals.map((meal) => ({ name: meal.name, macros: macrosOf([meal]), foods: meal.foods })) };
}

/** A day of the diary; the groups are included only on request. */
export function diaryOf(person: Person, day: PersonDay, withFood: boolean): object {
  const meals = mealsOf(person, day);
  return {
    day: day.date,
    completed: day.isComplete,
    food_grams: meals.length * 400,
    macros: macrosOf(meals),
    ...(withFood && groupsOf(day, meals)),
    nutrients: nutrientsOf(meals),
    metrics: [],
  };
}

/** A day without known data. */
export function emptyDiary(date: string, withFood: boolean): object {
  return { day: date, completed: false, food_grams: 0, macros: macrosOf([]), ...(withFood && { foods: null }), nutrients: {}, metrics: [] };
}

/** A fast from every seventh evening on; the last one may still be running. */
export function fastsOf(person: Person, dates: readonly string[]): readonly object[] {
  return dates.flatMap((date) => {
    const startMs = person.zone.toInstant(date, 20 * 3600);
    if (dayNumber(date) % 7 !== 0 || date < person.firstDate || startMs > person.syncedMs()) return [];
    const finishMs = person.zone.toInstant(addDays(date, 1), 12 * 3600);
    const isOver = finishMs <= person.syncedMs();
    const text = (ms: number) => new Date(ms).toISOString();
    return [{ name: '16:8', start: text(startMs), finish: isOver ? text(finishMs) : null, comments: '' }];
  });
}
