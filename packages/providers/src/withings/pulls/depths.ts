import { utcMidnight } from '../../kit/days.ts';
import type { PullWindow } from '../../kit/types.ts';

/** Withings keeps everything; half a year is read unless more is asked for. */
export const historyDays = 180;
/** Series of single minutes and nights cost a call each. */
export const detailDays = 60;
export const rereadDays = 3;

const dayMs = 86_400_000;
/** Clocks are at most this far from UTC: the local days of a window lie within it and so much more on both sides. */
const marginMs = 14 * 3_600_000;

const seconds = (ms: number): string => String(Math.floor(ms / 1000));

/** Instants that hold the local days of a window, wherever the user is; whoever maps leaves the rest out. */
export function instantsOf({ startDate, endDate }: PullWindow): { readonly startdate: string; readonly enddate: string } {
  return { startdate: seconds(utcMidnight(startDate) - marginMs), enddate: seconds(utcMidnight(endDate) + dayMs + marginMs) };
}

/** The stretch between two instants in pieces of a day at most, as forms want it: longer ones are cut without a word. */
export function dailyPieces(fromMs: number, toMs: number): { readonly startdate: string; readonly enddate: string }[] {
  const count = Math.max(1, Math.ceil((toMs - fromMs) / dayMs));
  return Array.from({ length: count }, (_, index) => ({
    startdate: seconds(fromMs + index * dayMs),
    enddate: seconds(Math.min(toMs, fromMs + (index + 1) * dayMs)),
  }));
}
