/** What a renormalisation changed, or would change in a dry run. */
export interface RenormaliseCounts {
  readonly users: number;
  /** Readings of windows (each one counts) and pushes. */
  readonly runs: number;
  /** Responses that were mapped again. */
  readonly responses: number;
  /** Samples, summaries and streams that they were mapped to. */
  readonly records: number;
  /** Samples and summaries that were missing, and those with other values. */
  readonly created: number;
  readonly updated: number;
  /** Streams that were missing or differ. */
  readonly streams: number;
  /** Deleted by the provider in a response, but still stored. */
  readonly removed: number;
  readonly events: number;
  readonly quarantined: number;
  /**
   * Runs that requested a response which is not in the vault; what they mapped before it was written. Excludes runs that originally broke
   * off at the same point.
   */
  readonly notInVault: number;
  /** Runs whose connection or user no longer exists; skipped. */
  readonly withoutConnection: number;
  /** Runs that were erased or dropped in the meantime. */
  readonly gone: number;
}

export interface RenormaliseTally extends RenormaliseCounts {
  /** Runs that could not be mapped, by pull and error code. */
  readonly failed: ReadonlyMap<string, number>;
  add(counts: Partial<RenormaliseCounts>): void;
  fail(pull: string, code: string): void;
}

const nothing: RenormaliseCounts = {
  users: 0,
  runs: 0,
  responses: 0,
  records: 0,
  created: 0,
  updated: 0,
  streams: 0,
  removed: 0,
  events: 0,
  quarantined: 0,
  notInVault: 0,
  withoutConnection: 0,
  gone: 0,
};

export function createTally(): RenormaliseTally {
  const failed = new Map<string, number>();
  const counts: { -readonly [Name in keyof RenormaliseCounts]: number } = { ...nothing };
  const tally = Object.assign(counts, {
    failed,
    add(more: Partial<RenormaliseCounts>) {
      for (const name of Object.keys(nothing) as (keyof RenormaliseCounts)[]) counts[name] += more[name] ?? 0;
    },
    fail: (pull: string, code: string) => void failed.set(`${pull} ${code}`, (failed.get(`${pull} ${code}`) ?? 0) + 1),
  });
  return tally;
}
