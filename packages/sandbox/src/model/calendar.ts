import { dayMs, utcDay } from '@pulsewire/kernel';

// Simulators convert the same few hundred days for every response.
const cachedMax = 20_000;
const numbersByDate = new Map<string, number>();
const datesByNumber = new Map<number, string>();

function remember<K, V>(cache: Map<K, V>, key: K, value: V): V {
  if (cache.size >= cachedMax) cache.clear();
  cache.set(key, value);
  return value;
}

/** Days since 1970-01-01 of a calendar date `YYYY-MM-DD`; NaN for other texts. */
export function dayNumber(date: string): number {
  return numbersByDate.get(date) ?? remember(numbersByDate, date, Date.parse(`${date}T00:00:00Z`) / dayMs);
}

/** The calendar date of a day number. Throws RangeError for a number that is no day. */
export function dateOf(day: number): string {
  return datesByNumber.get(day) ?? remember(datesByNumber, day, utcDay(day * dayMs));
}

/** The calendar date `days` later. */
export function addDays(date: string, days: number): string {
  return dateOf(dayNumber(date) + days);
}

/** Every date from the first to the last, both included. */
export function datesBetween(first: string, last: string): string[] {
  const dates: string[] = [];
  for (let day = dayNumber(first); day <= dayNumber(last); day++) dates.push(dateOf(day));
  return dates;
}

/** Whether the text is a date of the calendar, written `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(dayNumber(text)) && dateOf(dayNumber(text)) === text;
}
