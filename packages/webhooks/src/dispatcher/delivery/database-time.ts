/** Milliseconds by which the database's clock may move relative to ours between two readings; less is drift, more is a step. */
const toleranceMs = 1000;

/**
 * Compares the database's clock with our own monotonic one. Leases begin and end by the database's clock; when that clock steps, running
 * leases look expired. So no lease expires before this process has seen the clock steady for the length of a lease.
 */
export class DatabaseTime {
  readonly #leaseMs: number;
  #base: { readonly databaseMs: number; readonly ownMs: number } | undefined;
  #steadySinceMs = Number.POSITIVE_INFINITY;

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs;
  }

  /** The database's clock (Unix milliseconds) as read just before `ownMs` (monotonic). Returns the step in milliseconds; 0: none. */
  note(databaseMs: number, ownMs: number): number {
    const base = this.#base;
    const stepMs = base === undefined ? 0 : databaseMs - base.databaseMs - (ownMs - base.ownMs);
    const isStep = Math.abs(stepMs) > toleranceMs;
    this.#base = { databaseMs, ownMs };
    if (isStep || base === undefined) this.#steadySinceMs = ownMs;
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
