import { dayMs, utcDay } from '@pulsewire/kernel';
import type { PullWindow } from '../types/connector.ts';

const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** UTC midnight of a day as ms since the epoch, or undefined when the text is not a valid day (`YYYY-MM-DD`). */
export function dayToMs(day: string): number | undefined {
  const match = dayPattern.exec(day);
  if (match === null) return undefined;
  const ms = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
  // Date.UTC rolls 30 February over into March.
  return msToDay(ms) === day ? ms : undefined;
}

// The samples of a response follow one another, so most are of the day of the one before.
const previous = { dayNumber: Number.NaN, day: '' };

/** The UTC day of an instant. For the local day, pass the instant shifted by the user's offset. Throws RangeError for an invalid one. */
export function msToDay(ms: number): string {
  const dayNumber = Math.floor(ms / dayMs);
  if (dayNumber !== previous.dayNumber) {
    previous.day = utcDay(ms);
    previous.dayNumber = dayNumber;
  }
  return previous.day;
}

/** UTC midnight of a valid day; throws RangeError when it is not one. */
export function utcMidnight(day: string): number {
  const ms = dayToMs(day);
  if (ms === undefined) throw new RangeError('Not a day of the form YYYY-MM-DD.');
  return ms;
}

/** `day` shifted by `count` days; throws RangeError when it is not a day. */
export function addDays(day: string, count: number): string {
  return msToDay(utcMidnight(day) + count * dayMs);
}

/** Number of days from the first to the last, inclusive. Zero or less when they are in the wrong order. */
export function countDays(window: PullWindow): number {
  return (utcMidnight(window.endDate) - utcMidnight(window.startDate)) / dayMs + 1;
}

/** The window split into pieces of at most `chunkDays`, oldest first. */
export function splitWindow(window: PullWindow, chunkDays: number): PullWindow[] {
  const pieces: PullWindow[] = [];
  const tally = window.leftOut && { leftOut: window.leftOut };
  for (let startDate = window.startDate; startDate <= window.endDate; startDate = addDays(startDate, chunkDays)) {
    const last = addDays(startDate, chunkDays - 1);
    pieces.push({ ...tally, startDate, endDate: last < window.endDate ? last : window.endDate });
  }
  return pieces;
}

/** Every day of the window, oldest first. */
export function eachDay(window: PullWindow): string[] {
  return splitWindow(window, 1).map((piece) => piece.startDate);
}
