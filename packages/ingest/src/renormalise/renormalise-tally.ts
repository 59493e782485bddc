/** What a renormalisation has done, or would do. */
export interface RenormaliseCounts {
  readonly users: number;
  /** Windows that were read, each time they were, and pushes. */
  readonly runs: number;
  /** Answers that were mapped again. */
  readonly answers: number;
  /** Samples, summaries and streams that came of them. */
  readonly records: number;
  /** Samples and summaries that were not there, and that were others. */
  readonly created: number;
  readonly updated: number;
  /** Streams that were not there or differ. */
  readonly streams: number;
  /** Taken back by the provider in an answer, and still there. */
  readonly removed: number;
  readonly events: number;
  readonly quarantined: number;
  /** Runs that asked for an answer which is not there. What came before it was written. Without those that broke off then, too. */
  readonly notInVault: number;
  /** Runs whose connection, or user, is gone: nothing was done. */
  readonly withoutConnection: number;
  /** Runs that were erased or dropped meanwhile. */
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
  answers: 0,
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
