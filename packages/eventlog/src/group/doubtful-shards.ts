import { isAppError } from '@pulsewire/kernel';

/** Shards whose positions were refused: the member gives them up and takes them again, from the position that the database has. */
export class DoubtfulShards {
  #shards = new Set<number>();
  readonly #onDoubt: () => void;

  constructor(onDoubt: () => void) {
    this.#onDoubt = onDoubt;
  }

  /** Passes the outcome of saving positions on, and notes the shards of a refusal. */
  async watch(saving: Promise<void>): Promise<void> {
    try {
      await saving;
    } catch (error) {
      const shards = isAppError(error) && error.code === 'lease_lost' ? error.details['shards'] : undefined;
      if (Array.isArray(shards)) {
        for (const shard of shards) this.#shards.add(Number(shard));
        this.#onDoubt();
      }
      throw error;
    }
  }

  /** The shards that were refused since the last call. */
  take(): ReadonlySet<number> {
    const shards = this.#shards;
    this.#shards = new Set();
    return shards;
  }
}
