import { addDays } from '@pulsewire/kernel';

/** Records and samples of a history that takes long to read. */
const denseMin = 3000;
const daysMax = 4;

/**
 * How much of the history the accounts read whose calls fail: faults concern calls, not days, so the last days of a dense history do, and
 * all of another, for its pages. From `fromMs` on, what such an account has is what one with the whole history has.
 */
export function lastDaysOf(
  { days, today }: { readonly days: number; readonly today: string },
  history: readonly string[],
): { readonly days: number; readonly fromMs?: number } {
  if (history.length <= denseMin || days <= daysMax) return { days };
  // Whatever begins before noon of the second day may belong to a day before the first.
  return { days: daysMax, fromMs: Date.parse(`${addDays(today, 1 - daysMax)}T12:00:00Z`) };
}
