export type HistoricalPullStatus = 'success' | 'failure' | 'in_progress' | 'scheduled' | 'retrying';

/** The state of a historical pull, derived from its windows. */
export function historyStatus(known: {
  readonly hasEnded: boolean;
  readonly windowsGivenUp: number;
  readonly isRetrying: boolean;
  readonly isBegun: boolean;
}): HistoricalPullStatus {
  if (known.hasEnded) return known.windowsGivenUp > 0 ? 'failure' : 'success';
  if (known.isRetrying) return 'retrying';
  return known.isBegun ? 'in_progress' : 'scheduled';
}
