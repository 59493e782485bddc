import { mealRecord, nutrientsFrom, sumNutrients } from '../../kit/records/meals/meal-record.ts';
import { createRecordMaker } from '../../kit/records/record-maker.ts';
import { summaryId } from '../../kit/values/ids.ts';
import { dayAt } from '../read-item.ts';
import type { NightOwner } from './sleep-nights.ts';
import type { BuiltRecord, PhoneReading } from '../types.ts';

/** Phones do not name meals. */
const name = 'Meal';

type MealPlace = Pick<PhoneReading, 'sourceType' | 'atMs'>;

const keyOf = ({ sourceType, atMs }: MealPlace) => `${atMs} ${sourceType}`;

const externalIdOf = ({ atMs }: MealPlace) => new Date(atMs).toISOString();

export function mealId({ userId, provider }: NightOwner, place: MealPlace): string {
  return summaryId({ userId, provider, sourceType: place.sourceType, resource: 'meal', externalId: externalIdOf(place) });
}

/** The meal of each of these instants of a source, with all that was logged at it, or its removal where nothing is left. */
export function mealRecords(
  { userId, provider }: NightOwner,
  instants: readonly MealPlace[],
  readings: readonly PhoneReading[],
): BuiltRecord[] {
  const maker = createRecordMaker(provider, { userId, fallbackTimeZone: null, providerUserId: '', grantedScopes: [], account: {} });
  const eaten = Map.groupBy(readings, keyOf);
  return instants.map((instant) => {
    const { sourceType, atMs } = instant;
    const externalId = externalIdOf(instant);
    const own = eaten.get(keyOf(instant)) ?? [];
    if (own.length === 0) return maker.removal({ resource: 'meal', sourceType, externalId });
    const offset = own.find((reading) => reading.offset !== null)?.offset ?? null;
    const total = sumNutrients(own.map(({ kind, value }) => nutrientsFrom((nutrient) => (nutrient === kind ? value : null))));
    const meal = mealRecord(maker, { externalId, day: dayAt(atMs, offset), name, at: atMs, sourceType, total });
    const [appId = '', ...others] = new Set(own.flatMap((reading) => (reading.appId === '' ? [] : [reading.appId])));
    return others.length === 0 && appId !== '' ? { ...meal, source: { ...meal.source, appId } } : meal;
  });
}
