import type { PullSpec } from './types/connector.ts';

/** The most that a team may ask for, in days. */
export const historyDaysMax = 365;

/** Depth of the historical pull in days: what the team wants, as far as the provider lets it be read, else what is usual. Pure. */
export function historyDepth(
  { backfillDays, reachDays = backfillDays }: Pick<PullSpec, 'backfillDays' | 'reachDays'>,
  wanted: number | null,
): number {
  return Math.min(wanted ?? backfillDays, reachDays);
}
