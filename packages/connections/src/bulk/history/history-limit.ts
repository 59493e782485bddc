/** How many historical pulls of one team's application at a provider may begin. */
export type Throttle =
  /** At most so many within any stretch of this length. */
  | { readonly kind: 'rate'; readonly turns: number; readonly perMs: number }
  /** At most so many that are not complete. */
  | { readonly kind: 'open'; readonly turns: number };

const minuteMs = 60_000;

const others: Throttle = { kind: 'rate', turns: 8, perMs: minuteMs };

const byProvider: Readonly<Record<string, Throttle>> = {
  garmin: { kind: 'rate', turns: 2, perMs: minuteMs },
  fitbit: { kind: 'open', turns: 250 },
  polar: { kind: 'open', turns: 250 },
  strava: { kind: 'rate', turns: 1, perMs: 15 * minuteMs },
  oura: { kind: 'rate', turns: 150, perMs: 5 * minuteMs },
  withings: { kind: 'rate', turns: 8, perMs: minuteMs },
};

export function throttleOf(provider: string): Throttle {
  return byProvider[provider] ?? others;
}
