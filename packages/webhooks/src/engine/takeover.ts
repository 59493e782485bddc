// As many events of a shard as two owners of it hardly ever have under way at once.
const unsureRun = 200;
// Under it nobody has had the shard before.
const firstEpoch = 1;

/**
 * Where an earlier owner of a shard may have recorded events beyond the position, because one before them was not done. Unsure
 * are the first events of a shard under a new epoch, until so many in a row were not recorded.
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

  /** Whether the next event of the shard is one to ask about. */
  isUnsure(shard: number): boolean {
    const run = this.#shards.get(shard);
    if (run === undefined || run.left === 0) return false;
    run.left -= 1;
    return true;
  }

  foundRecorded(shard: number): void {
    const run = this.#shards.get(shard);
    if (run !== undefined) run.left = unsureRun;
  }
}
