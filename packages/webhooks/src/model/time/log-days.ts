import { utcDay, addDays } from '@pulsewire/kernel';

/** No event is older than this, and Postgres has no day before its year 1. */
export const firstLogDay = '2020-01-01';
export const lastLogDay = '9999-12-31';

/** The day before an instant's day, as the start of a read, because the clocks of writers may differ. Never before the log's first day. */
export function dayBefore(instant: Date): string {
  return instant.getTime() < Date.parse(firstLogDay) ? firstLogDay : addDays(utcDay(instant), -1);
}

/** The day after an instant's day, as the end of a read. Never after the last day. */
export function dayAfter(instant: Date): string {
  return instant.getTime() >= Date.parse(lastLogDay) ? lastLogDay : addDays(utcDay(instant), 1);
}

/** Whether the text is a valid calendar day, YYYY-MM-DD; 31 February and days of the year 0 are not. */
export function isCalendarDay(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) && !text.startsWith('0000') ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
