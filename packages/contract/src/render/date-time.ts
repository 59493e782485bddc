import { AppError } from '@pulsewire/kernel';

const dayMs = 86_400_000;
const twoDigits = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));

// The samples of a batch are mostly of one day, and the date is the expensive part of an instant's text. A pure memo: it never changes a result.
const lastDay = { number: Number.NaN, text: '' };

function dateText(dayNumber: number): string {
  if (dayNumber === lastDay.number) return lastDay.text;
  const iso = new Date(dayNumber * dayMs).toISOString();
  lastDay.text = iso.slice(0, iso.indexOf('T'));
  lastDay.number = dayNumber;
  return lastDay.text;
}

function digits(number: number): string {
  return twoDigits[number] as string;
}

/**
 * An instant in the contract's format: `2026-01-04T10:00:00+00:00`, with milliseconds only when they are not zero.
 * Takes milliseconds since the epoch; fractions are truncated. Throws AppError `bad_time` when it is not an instant.
 */
export function renderDateTime(ms: number): string {
  const whole = Math.floor(ms);
  if (!(Math.abs(whole) <= 8.64e15)) throw new AppError({ code: 'bad_time', kind: 'bug', message: 'A time is not an instant.' });
  const day = Math.floor(whole / dayMs);
  const inDay = whole - day * dayMs;
  const seconds = Math.floor(inDay / 1000);
  const fraction = inDay - seconds * 1000;
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const clock = `${dateText(day)}T${digits(hours)}:${digits(minutes - hours * 60)}:${digits(seconds - minutes * 60)}`;
  return fraction === 0 ? `${clock}+00:00` : `${clock}.${String(fraction).padStart(3, '0')}+00:00`;
}

/** The UTC day of an instant, `YYYY-MM-DD`. */
export function renderDate(ms: number): string {
  return dateText(Math.floor(ms / dayMs));
}
