import type { IncomingRecord } from './consumer-port.ts';

interface Entry {
  readonly kafkaOffset: bigint;
  readonly shard: number;
  readonly offset: number;
}

/** Records of one partition that wait to be handed over, and the offset up to which the partition is handled without a gap. */
export class PartitionBuffer {
  #waiting: IncomingRecord[] = [];
  #entries: Entry[] = [];
  #head = 0;
  #isRefused = false;
  #nextCommit: bigint | null = null;
  #committed: bigint | null = null;
  /** The first record waits for something other than capacity: a shard that is not ours yet, or the next heartbeat. */
  isBlocked = false;

  get length(): number {
    return this.#waiting.length;
  }

  push(records: readonly IncomingRecord[]): void {
    for (const record of records) this.#waiting.push(record);
  }

  /** Whether more may come; remembers a refusal until `takeRefusal`. */
  hasRoom(max: number): boolean {
    this.#isRefused = this.#waiting.length >= max;
    return !this.#isRefused;
  }

  /** True once after a refusal, as soon as fewer than `below` records wait. */
  takeRefusal(below: number): boolean {
    if (!this.#isRefused || this.#waiting.length >= below) return false;
    this.#isRefused = false;
    return true;
  }

  take(count: number): readonly IncomingRecord[] {
    const taken = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    return taken;
  }

  putBack(records: readonly IncomingRecord[]): void {
    if (records.length > 0) this.#waiting = [...records, ...this.#waiting];
  }

  /** Marks a record whose event was handed over, or skipped because it is recorded already or in progress. */
  handled(kafkaOffset: bigint, shard: number, offset: number): void {
    this.#entries.push({ kafkaOffset, shard, offset });
  }

  /** The offset to commit if it has changed: everything below is recorded, or belongs to shards that are not ours. */
  takeCommit(recordedOf: (shard: number) => number | undefined): bigint | null {
    for (let entry = this.#entries[this.#head]; entry !== undefined; entry = this.#entries[this.#head]) {
      const recorded = recordedOf(entry.shard);
      if (recorded !== undefined && recorded <= entry.offset) break;
      this.#nextCommit = entry.kafkaOffset + 1n;
      this.#head += 1;
    }
    if (this.#head > 1024) {
      this.#entries = this.#entries.slice(this.#head);
      this.#head = 0;
    }
    if (this.#nextCommit === this.#committed) return null;
    this.#committed = this.#nextCommit;
    return this.#nextCommit;
  }

  /** Makes the last commit due again after it failed. */
  uncommit(): void {
    this.#committed = null;
  }
}
