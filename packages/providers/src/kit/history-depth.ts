import type { PullSpec } from './types/connector.ts';

/** The maximum that a team may request, in days. */
export const historyDaysMax = 365;

/** Depth of the historical pull in days: the team's setting, limited to what the provider allows, else the default. Pure. */
export function historyDepth(
  { backfillDays, reachDays = backfillDays }: Pick<PullSpec, 'backfillDays' | 'reachDays'>,
  wanted: number | null,
): number {
  return Math.min(wanted ?? backfillDays, reachDays);
}
