import { addDays } from '@pulsewire/database';

/** No event is older than this, and Postgres knows no day before its year 1. */
export const firstLogDay = '2020-01-01';
export const lastLogDay = '9999-12-31';

/** The day before an instant's, for where to begin reading: the clocks of those who write may differ. Never before the first day of the log. */
export function dayBefore(instant: Date): string {
  return instant.getTime() < Date.parse(firstLogDay) ? firstLogDay : addDays(instant.toISOString().slice(0, 10), -1);
}

/** The day after an instant's, for where to end reading. Never after the last day. */
export function dayAfter(instant: Date): string {
  return instant.getTime() >= Date.parse(lastLogDay) ? lastLogDay : addDays(instant.toISOString().slice(0, 10), 1);
}

/** Whether the text is a day of the calendar, YYYY-MM-DD; 31 February is none, and neither is a day of the year 0. */
export function isCalendarDay(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) && !text.startsWith('0000') ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
