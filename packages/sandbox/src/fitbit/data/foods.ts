import type { Account } from '../accounts/types.ts';

const dinner = 5;

/** `/foods/log/date/{d}.json`: no volunteer recorded foods, so there are those that were logged at the simulator. */
export function foodsOf(account: Account, date: string): object {
  const foods = account.logs.foods(date);
  const calories = foods.reduce((sum, kcal) => sum + kcal, 0);
  return {
    foods: foods.map((kcal, place) => ({
      logId: place + 1,
      logDate: date,
      loggedFood: { name: `Dish ${place + 1}`, brand: '', amount: 1, mealTypeId: dinner, calories: kcal, unit: { name: 'serving' } },
      nutritionalValues: { calories: kcal, carbs: 0, fat: 0, fiber: 0, protein: 0, sodium: 0 },
    })),
    summary: { calories, carbs: 0, fat: 0, fiber: 0, protein: 0, sodium: 0, water: 0 },
  };
}

/** `/foods/log/caloriesIn/date/{start}/{end}.json` and the same of water; the provider writes the numbers of a series as text. */
export function foodSeries(account: Account, resource: 'caloriesIn' | 'water', dates: readonly string[]): object {
  const valueOf = (date: string) => (resource === 'water' ? 0 : account.logs.foods(date).reduce((sum, kcal) => sum + kcal, 0));
  return { [`foods-log-${resource}`]: dates.map((dateTime) => ({ dateTime, value: String(valueOf(dateTime)) })) };
}
