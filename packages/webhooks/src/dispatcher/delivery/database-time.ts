/** Milliseconds by which the database's clock may move relative to ours between two readings; less is drift, more is a step. */
const toleranceMs = 1000;
/** A reading that took longer says too little about when it was made: on a busy machine it may wait for seconds. */
const readingMsMax = toleranceMs / 2;

/**
 * Compares the database's clock with our own monotonic one. Leases begin and end by the database's clock; when that clock steps, running
 * leases look expired. So no lease expires before this process has seen the clock steady for the length of a lease.
 */
export class DatabaseTime {
  readonly #leaseMs: number;
  #base: { readonly databaseMs: number; readonly ownMs: number; readonly takenMs: number } | undefined;
  #steadySinceMs = Number.POSITIVE_INFINITY;

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs;
  }

  /**
   * The database's clock (Unix milliseconds), read at some moment from `askedMs` to `ownMs` (monotonic). Returns the step in milliseconds; 0:
   * none, or the reading took too long to tell, so that it is compared with a later one.
   */
  note(databaseMs: number, askedMs: number, ownMs: number): number {
    const base = this.#base;
    const takenMs = ownMs - askedMs;
    if (base !== undefined && takenMs > readingMsMax) return 0;
    const stepMs = base === undefined ? 0 : databaseMs - base.databaseMs - (ownMs - base.ownMs);
    const isStep = base !== undefined && Math.abs(stepMs) > toleranceMs + Math.max(0, base.takenMs - readingMsMax);
    this.#base = { databaseMs, ownMs, takenMs };
    // Neither does the first reading tell, or the one after a slow one, whether the clock stepped before.
    const isFirst = base === undefined || base.takenMs > readingMsMax;
    if (isStep || isFirst) this.#steadySinceMs = ownMs;
    return isStep ? stepMs : 0;
  }

  /**
   * Leases that end before this moment of the database's clock (an instant, as Postgres reads it) are over once that clock has passed their
   * end.
   */
  leasesEndBefore(ownMs: number): string {
    if (this.#base === undefined || ownMs - this.#steadySinceMs < this.#leaseMs) return '-infinity';
    // An undetected step must not expire a lease either.
    return new Date(this.#base.databaseMs + (ownMs - this.#base.ownMs) + toleranceMs).toISOString();
  }
}
