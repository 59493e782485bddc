/** Lengths in ms. Days of the UTC calendar have no other length; local days do. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The UTC day of an instant, `YYYY-MM-DD`. Throws RangeError for an invalid one. */
export function utcDay(at: Date | number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The day `count` days after `day`; both `YYYY-MM-DD`. */
export function addDays(day: string, count: number): string {
  return utcDay(Date.parse(`${day}T00:00:00Z`) + count * dayMs);
}
