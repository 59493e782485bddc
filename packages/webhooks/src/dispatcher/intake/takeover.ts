// After this many unrecorded events in a row, a recorded event is very unlikely to follow.
const unsureRun = 200;
// The first epoch: the shard had no owner before.
const firstEpoch = 1;

/**
 * Detects where an earlier owner of a shard may have recorded events beyond the position, because one before them was unfinished. The first
 * events of a shard under a new epoch are looked up, until enough in a row were not recorded. Counts results rather than events, because a
 * thousand events of one shard may arrive before the first result.
 */
export class Takeover {
  readonly #shards = new Map<number, { readonly epoch: number; left: number }>();

  /** Events of this shard come under this epoch. */
  began(shard: number, epoch: number): void {
    if (this.#shards.get(shard)?.epoch !== epoch) this.#shards.set(shard, { epoch, left: epoch > firstEpoch ? unsureRun : 0 });
  }

  revoked(shard: number): void {
    this.#shards.delete(shard);
  }

  /** Whether to look up the next event of the shard. */
  mayBeRecorded(shard: number): boolean {
    return (this.#shards.get(shard)?.left ?? 0) > 0;
  }

  lookedUp(shard: number, epoch: number, isRecorded: boolean): void {
    const run = this.#shards.get(shard);
    if (run?.epoch === epoch) run.left = isRecorded ? unsureRun : Math.max(0, run.left - 1);
  }
}
