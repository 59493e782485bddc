import type { Account } from '../accounts/types.ts';
import { round, toWeight, type Units } from './units.ts';
import { longIdOf } from '../../model/seeded.ts';
import type { RecordedWeight } from '../../recording/types.ts';

/** The id of the weight log of a date, even if there is none. */
export function weightLogId({ ownerId }: Account, date: string): number {
  return longIdOf(`weight:${ownerId}:${date}`);
}

/** The weighing of a date, if it was before the account was last read. */
export function weighingOf(account: Account, date: string): RecordedWeight | undefined {
  const weight = account.recordedDay(date)?.weight;
  if (!weight || date < account.firstDate || account.logs.isDeleted(weightLogId(account, date))) return undefined;
  return account.zone.toInstant(date, weight.secondOfDay) <= account.syncedMs() ? weight : undefined;
}

/** Entries of `/body/log/weight`. */
export function weightLogs(account: Account, dates: readonly string[], units: Units): object[] {
  return dates.flatMap((date) => {
    const weight = weighingOf(account, date);
    if (!weight) return [];
    const fat = weight.fatPercent === null ? {} : { fat: weight.fatPercent };
    return [{ ...common(account, date, weight), weight: round(toWeight(weight.weightKg, units)), bmi: weight.bmi, ...fat }];
  });
}

/** Entries of `/body/log/fat`, for weighings that measured it. */
export function fatLogs(account: Account, dates: readonly string[]): object[] {
  return dates.flatMap((date) => {
    const weight = weighingOf(account, date);
    return weight && weight.fatPercent !== null ? [{ ...common(account, date, weight), fat: weight.fatPercent }] : [];
  });
}

function common(account: Account, date: string, weight: RecordedWeight): object {
  return {
    logId: weightLogId(account, date),
    date,
    time: new Date(weight.secondOfDay * 1000).toISOString().slice(11, 19),
    source: weight.isManual ? 'API' : 'Aria',
  };
}

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
