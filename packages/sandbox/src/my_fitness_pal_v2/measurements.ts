import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { dayNumber } from '../model/calendar.ts';
import type { Item } from './diary.ts';
import { weightOf } from './units.ts';

/** The first weight of a day; value and unit are flat. Later ones of the day are not listed. */
export function weightsOf({ person }: SimAccount, day: PersonDay): readonly Item[] {
  const [first] = day.weighings;
  if (!first) return [];
  const { unit, value } = weightOf(person, first.kg);
  const updated = { updated_at: person.zone.offsetText(Math.max(first.ms + 5000, day.updatedMs)).replace('.000', '') };
  return [{ id: `m${first.id}`, type: 'weight', value, unit, date: day.date, ...(dayNumber(day.date) % 2 === 0 && updated) }];
}
