import type { Consumption, LogEvent, LogSink, Position } from '@pulsewire/eventlog';
import type { Database } from '@pulsewire/database';

/** A consumer that keeps every event for the test, and saves positions by default. */
export class CollectingSink implements LogSink {
  readonly events: LogEvent[] = [];
  readonly revokedShards: number[] = [];
  /** Lease epoch of each shard's last events. */
  readonly epochs = new Map<number, number>();
  consumption: Consumption | undefined;
  /** False: events are accepted but positions are not saved, as by a process that dies in between. */
  isRecording = true;
  available = 10_000;
  #waiters: { count: number; done: () => void }[] = [];
  #pending = new Map<number, Position>();
  #flushing: Promise<void> = Promise.resolve();
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  capacity(): number {
    return this.available;
  }

  accept(shard: number, epoch: number, events: readonly LogEvent[]): void {
    this.events.push(...events);
    this.epochs.set(shard, epoch);
    const last = events.at(-1);
    if (last && this.isRecording) {
      this.#pending.set(shard, { shard, epoch, offset: last.offset + 1, day: last.day });
      this.#flushing = this.#flushing.then(() => this.#flush());
    }
    this.#waiters = this.#waiters.filter((waiter) => {
      if (this.events.length < waiter.count) return true;
      waiter.done();
      return false;
    });
  }

  revoked(shard: number): void {
    this.revokedShards.push(shard);
    this.#pending.delete(shard);
  }

  /** Resolves when that many events have arrived. */
  received(count: number): Promise<void> {
    if (this.events.length >= count) return Promise.resolve();
    return new Promise((done) => this.#waiters.push({ count, done }));
  }

  /** Resolves when the positions of all events so far are saved. */
  recorded(): Promise<void> {
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    const positions = [...this.#pending.values()];
    this.#pending.clear();
    if (positions.length === 0 || !this.consumption) return;
    const { consumption } = this;
    try {
      await this.#database.transaction((tx) => consumption.savePositions(tx, positions));
      await consumption.saved(positions);
    } catch {
      // Another consumer took over the shard and receives these events again.
    }
  }
}
