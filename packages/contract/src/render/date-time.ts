import { AppError, dayMs, minuteMs } from '@pulsewire/kernel';

const dayMinutes = 1440;
const twoDigits = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));

// Successive samples are mostly of one day, often of one minute. Pure memos of the expensive parts of an instant's text: they never change
// a result.
const lastDay = { number: Number.NaN, text: '' };
const lastMinute = { number: Number.NaN, text: '' };

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

function minuteText(minuteNumber: number): string {
  if (minuteNumber === lastMinute.number) return lastMinute.text;
  const day = Math.floor(minuteNumber / dayMinutes);
  const inDay = minuteNumber - day * dayMinutes;
  const hours = Math.floor(inDay / 60);
  lastMinute.text = `${dateText(day)}T${digits(hours)}:${digits(inDay - hours * 60)}:`;
  lastMinute.number = minuteNumber;
  return lastMinute.text;
}

/**
 * An instant in the contract's format: `2026-01-04T10:00:00+00:00`, with milliseconds only when they are not zero.
 * Takes milliseconds since the epoch; fractions are truncated. Throws AppError `bad_time` when it is not an instant.
 */
export function renderDateTime(ms: number): string {
  const whole = Math.floor(ms);
  if (!(Math.abs(whole) <= 8.64e15)) throw new AppError({ code: 'bad_time', kind: 'bug', message: 'A time is not a valid instant.' });
  const minute = Math.floor(whole / minuteMs);
  const inMinute = whole - minute * minuteMs;
  const seconds = Math.floor(inMinute / 1000);
  const fraction = inMinute - seconds * 1000;
  const clock = minuteText(minute) + digits(seconds);
  return fraction === 0 ? `${clock}+00:00` : `${clock}.${String(fraction).padStart(3, '0')}+00:00`;
}

/** The UTC day of an instant, `YYYY-MM-DD`. */
export function renderDate(ms: number): string {
  return dateText(Math.floor(ms / dayMs));
}
