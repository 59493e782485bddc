import { isDataError, type Database, type Tx } from '@pulsewire/database';
import { withEvents, type Consumption, type Position } from '@pulsewire/eventlog';
import { errorCode, exponentialDelayMs, sleep, type Logger, type Metrics } from '@pulsewire/kernel';
import { isLost, loseDelivery } from '../delivery/delivery-state.ts';
import type { Delivery, RecordItem } from '../delivery/delivery.ts';
import type { PositionTracker } from '../delivery/position-tracker.ts';
import { announceExhausted, disableGone, lockGone } from './announce-outcomes.ts';
import { BatchMark } from './batch-mark.ts';
import { freeNext, lockShards, touchedUserQueues, type StoredUserQueue } from './free-next.ts';
import { recordBatch } from './record-batch.ts';
import { writeCarefully } from './write-carefully.ts';

export interface RecorderOptions {
  readonly database: Database;
  readonly tracker: PositionTracker;
  readonly positions: Pick<Consumption, 'savePositions' | 'saved'>;
  /** Names our leases in webhook_pending. */
  readonly owner: string;
  /** Consumer group in the log. */
  readonly group: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Called with the committed items, and the endpoints with rows that became due. */
  onRecorded(items: readonly RecordItem[], freed: readonly string[]): void;
}

interface Batch {
  /** Set before the first attempt to write it, and the same for every retry. */
  readonly number: number;
  readonly items: readonly RecordItem[];
  readonly positions: readonly Position[];
  /** Users at ordered endpoints whose next row may be due with this batch. */
  readonly userQueues: readonly StoredUserQueue[];
}

/** The result of a batch: the endpoints with rows that may have become due, and the advanced positions. */
interface Written {
  readonly freed: readonly string[];
  readonly positions: readonly Position[];
}

// Positions without outcomes are not urgent, so they may accumulate for a while.
const positionsOnlyDelayMs = 100;
// Results arrive in bursts, and a transaction costs the same for one as for fifty.
const gatherMs = 10;

/**
 * Records the outcomes of deliveries. Attempts, rows and positions commit in one transaction, so that a position never passes an unrecorded
 * delivery. One batch is written at a time; items that arrive meanwhile form the next.
 */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #giveUp = new AbortController();
  readonly #mark = new BatchMark();
  #items: RecordItem[] = [];
  readonly #parks = new Map<Delivery, RecordItem>();
  #running: Promise<void> | undefined;
  #lazily: NodeJS.Timeout | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Items and rows to be parked that wait for the next batch. */
  get waiting(): number {
    return this.#items.length + this.#parks.size;
  }

  add(item: RecordItem): void {
    this.#items.push(item);
    this.#run();
  }

  /** Writes a row for a delivery in progress; cancelled when the attempt ends before the batch is made. */
  park(item: RecordItem): void {
    this.#parks.set(item.delivery, item);
    this.#run();
  }

  /** True when the row was not written yet, so that the position still waits for the delivery. */
  cancelPark(delivery: Delivery): boolean {
    return this.#parks.delete(delivery);
  }

  /** Positions moved without anything to record. */
  touch(): void {
    if (this.#running !== undefined || this.#lazily !== undefined) return;
    this.#lazily = setTimeout(() => {
      this.#lazily = undefined;
      this.#run();
    }, positionsOnlyDelayMs);
  }

  /** Resolves when everything added is written. When the signal aborts, drops the rest, which the next owner of the shard repeats. */
  async drain(signal: AbortSignal): Promise<void> {
    const giveUp = () => this.#giveUp.abort();
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    while (this.#hasWork() && !this.#giveUp.signal.aborted) {
      this.#run();
      await this.#running;
    }
    await this.#running;
    clearTimeout(this.#lazily);
    signal.removeEventListener('abort', giveUp);
  }

  #hasWork(): boolean {
    return this.waiting > 0 || this.#options.tracker.hasMoved;
  }

  #run(): void {
    this.#running ??= this.#writeAll().finally(() => {
      this.#running = undefined;
      // Items may have arrived since the last check.
      if (this.waiting > 0) this.#run();
      else if (this.#options.tracker.hasMoved) this.touch();
    });
  }

  async #writeAll(): Promise<void> {
    do {
      await sleep(gatherMs, this.#giveUp.signal);
      await this.#writeUntilDone(this.#take());
    } while (this.waiting > 0 && !this.#giveUp.signal.aborted);
  }

  /** From here on the position does not wait for these deliveries. */
  #take(): Batch {
    const { tracker } = this.#options;
    const all = this.#parks.size === 0 ? this.#items : [...this.#items, ...this.#parks.values()];
    this.#items = [];
    this.#parks.clear();
    // Deliveries of a shard lost since then are dropped; rows that we lease stay ours regardless of the shard's owner.
    const items = all.filter((item) => this.#isOurs(item));
    for (const { delivery, releases } of items) if (releases && delivery.entry) tracker.release(delivery.entry);
    return { number: this.#mark.next(), items, positions: tracker.takePositions(), userQueues: touchedUserQueues(items) };
  }

  #isOurs({ delivery, releases }: RecordItem): boolean {
    if (isLost(delivery)) return false;
    if (!releases || delivery.entry?.isDropped !== true) return true;
    this.#lose(delivery);
    return false;
  }

  #lose(delivery: Delivery): void {
    if (!loseDelivery(delivery)) this.#options.logger.error({ state: delivery.state, transition: 'lose' }, 'delivery.transition_refused');
  }

  async #writeUntilDone(batch: Batch): Promise<void> {
    if ((await this.#tryUntilDone(batch)) === 'lease_lost') await this.#writeByShard(batch);
  }

  /**
   * Retries while the database is unavailable; once as many events are unrecorded as allowed, reading pauses. A retry of a committed batch writes nothing. Values
   * that Postgres rejects are isolated and left out, so that they do not block the rest.
   */
  async #tryUntilDone(batch: Batch): Promise<'written' | 'lease_lost' | 'given_up'> {
    const { logger, metrics } = this.#options;
    let isCareful = false;
    for (let failures = 0; !this.#giveUp.signal.aborted; failures++) {
      try {
        const { freed, positions } = await this.#writeOnce(batch, isCareful, failures > 0);
        await this.#options.positions.saved(positions);
        this.#options.onRecorded(batch.items, freed);
        return 'written';
      } catch (error) {
        if (errorCode(error) === 'lease_lost') return 'lease_lost';
        isCareful ||= isDataError(error);
        metrics.count('webhook_record_failures_total');
        logger.warn({ errorCode: errorCode(error), items: batch.items.length, failures }, 'outcomes.record_failed');
        await sleep(exponentialDelayMs(failures, 50, 5000), this.#giveUp.signal);
      }
    }
    return 'given_up';
  }

  async #writeOnce(batch: Batch, isCareful: boolean, isRetry: boolean): Promise<Written> {
    try {
      return await this.#write(batch, isCareful, isRetry);
    } catch (error) {
      if (errorCode(error) !== 'batch_recorded') throw error;
      return { freed: batch.userQueues.map(({ endpointId }) => endpointId), positions: batch.positions };
    }
  }

  /** Locks in the order documented in `dispatcher/README.md` under "Locks and retries". */
  async #write(batch: Batch, isCareful: boolean, isRetry: boolean): Promise<Written> {
    const { number, items, positions, userQueues } = batch;
    if (items.length === 0 && positions.length === 0) return { freed: [], positions };
    const { database, owner, group } = this.#options;
    const savePositions = (tx: Tx, some: readonly Position[]) => this.#options.positions.savePositions(tx, some);
    return withEvents(database, async (tx, emit) => {
      const marked = this.#mark.write(tx, number);
      // If the batch is already committed, later statements may fail for other reasons, which must not be reported instead.
      if (isRetry) await marked;
      if (userQueues.length > 0) await Promise.all([marked, lockShards(tx, { group, owner }, positions, items)]);
      if (isCareful) {
        await marked;
        return writeCarefully(tx, emit, { ...this.#options, ...batch, savePositions });
      }
      const before = [marked, savePositions(tx, positions), lockGone(tx, items), recordBatch(tx, owner, items)];
      const [freed] = await Promise.all([freeNext(tx, userQueues), ...before, disableGone(tx, emit, items)]);
      announceExhausted(emit, items);
      return { freed, positions };
    });
  }

  /**
   * Some shard of the batch is no longer ours. Writes each shard separately and drops the items of lost shards, which the new owner
   * repeats.
   */
  async #writeByShard({ items, positions, userQueues }: Batch): Promise<void> {
    const shards = new Map<number | null, RecordItem[]>(positions.map(({ shard }) => [shard, []]));
    for (const item of items) {
      const shard = item.releases ? (item.delivery.entry?.shard ?? null) : null;
      const group = shards.get(shard);
      if (group) group.push(item);
      else shards.set(shard, [item]);
    }
    for (const [shard, group] of shards) {
      const own = {
        number: this.#mark.next(),
        items: group,
        positions: positions.filter((position) => position.shard === shard),
        userQueues: userQueues.filter((one) => group.some(({ delivery }) => delivery.endpoint.endpointId === one.endpointId)),
      };
      if ((await this.#tryUntilDone(own)) !== 'lease_lost') continue;
      for (const { delivery } of group) this.#lose(delivery);
      this.#options.logger.info({ shard, items: group.length }, 'outcomes.dropped');
    }
  }
}
