/** Milliseconds by which the database's clock may move against ours between two looks: less is the drift of clocks, more a step. */
const toleranceMs = 1000;

/**
 * Compares the database's clock with the own monotonic one. Leases are written and end by the former; when it is set anew, those that
 * run look as if they had ended. So none ends by time before this process has seen the clock steady for as long as a lease lasts.
 */
export class DatabaseTime {
  readonly #leaseMs: number;
  #base: { readonly databaseMs: number; readonly ownMs: number } | undefined;
  #steadySinceMs = Number.POSITIVE_INFINITY;

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs;
  }

  /** The database's clock (Unix milliseconds) as read just before `ownMs` (monotonic). Gives by how many milliseconds it was set anew; 0: it was not. */
  note(databaseMs: number, ownMs: number): number {
    const base = this.#base;
    const stepMs = base === undefined ? 0 : databaseMs - base.databaseMs - (ownMs - base.ownMs);
    const isStep = Math.abs(stepMs) > toleranceMs;
    this.#base = { databaseMs, ownMs };
    if (isStep || base === undefined) this.#steadySinceMs = ownMs;
    return isStep ? stepMs : 0;
  }

  /** Leases that end before this moment of the database's clock (an instant, as Postgres reads it) are over once that clock has passed their end. */
  leasesEndBefore(ownMs: number): string {
    if (this.#base === undefined || ownMs - this.#steadySinceMs < this.#leaseMs) return '-infinity';
    // A step that nobody has noted yet ends no lease either.
    return new Date(this.#base.databaseMs + (ownMs - this.#base.ownMs) + toleranceMs).toISOString();
  }
}
