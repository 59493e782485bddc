import type { Database } from '@pulsewire/database';
import type { Consumption, LogEvent, LogSink, Position } from '@pulsewire/eventlog';
import { errorCode, exponentialDelayMs, sleep, type Clock, type Logger, type Metrics, WakeSignal } from '@pulsewire/kernel';
import type { OutgoingRecord } from '../records/event-record.ts';
import type { EventWriter } from '../records/event-writer.ts';
import { encodeBatch, type EncodedBatch } from './encode-batch.ts';
import type { DueGeneration, GenerationAnnouncer } from './generation-announcer.ts';
import { PositionSaver } from './position-saver.ts';
import { RelayQueue, type QueuedEvent } from './relay-queue.ts';
import type { LeasedShard, ShardWriters } from './shard-writers.ts';
import { unlessAborted } from './unless-aborted.ts';

/** Sends records, and resolves only when every one of them is acknowledged. Throws a retryable AppError otherwise. */
export interface RecordProducer {
  send(topic: string, records: readonly OutgoingRecord[]): Promise<void>;
}

export interface RelaySinkOptions {
  readonly database: Database;
  readonly producer: RecordProducer;
  readonly writers: Pick<ShardWriters, 'takeOver' | 'handBack'>;
  readonly announcer: Pick<GenerationAnnouncer, 'due' | 'recordsOf' | 'note'>;
  readonly writer: EventWriter;
  readonly eventsTopic: string;
  readonly group: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const heldEventsMax = 8000;
const batchEventsMax = 1000;
const batchBytesMax = 4 * 2 ** 20;
const announceEveryMs = 2000;

/**
 * Publishes the events that it reads from the log. A shard's position moves only after the acknowledgement, under the epoch of the read.
 */
export class RelaySink implements LogSink {
  readonly #options: RelaySinkOptions;
  readonly #queue = new RelayQueue();
  readonly #saver: PositionSaver;
  readonly #work = new WakeSignal();
  readonly #giveUp = new AbortController();
  /** Epochs of the shards that are ours; events read under another epoch are dropped. */
  readonly #epochs = new Map<number, number>();
  /** Epochs of the shards to which no other producer can write. */
  readonly #taken = new Map<number, number>();
  /** Shards that are no longer ours and have nothing in flight. */
  readonly #leaving = new Set<number>();
  /** Shards with records that were sent but not acknowledged. The records may still arrive, so these shards are never handed back. */
  readonly #doubtful = new Set<number>();
  readonly #fenced = Promise.withResolvers<never>();
  #inFlight = 0;
  #announceAtMs = Number.NEGATIVE_INFINITY;
  #isStopping = false;
  #consumption: Consumption | undefined;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: RelaySinkOptions) {
    this.#options = options;
    this.#fenced.promise.catch(() => {});
    this.#saver = new PositionSaver({ database: options.database, logger: options.logger, positions: () => this.#consumption });
  }

  /** Rejects with AppError `kafka_producer_fenced` when another member has taken over shards of this one: then this one must end. */
  get fenced(): Promise<never> {
    return this.#fenced.promise;
  }

  start(consumption: Consumption): void {
    this.#consumption = consumption;
    this.#loop = this.#run();
  }

  capacity(): number {
    if (this.#isStopping) return 0;
    const available = heldEventsMax - this.#queue.length - this.#inFlight;
    return available < heldEventsMax / 8 ? 0 : available;
  }

  accept(shard: number, epoch: number, events: readonly LogEvent[]): void {
    this.#epochs.set(shard, epoch);
    this.#queue.add(epoch, events);
    this.#work.set();
  }

  revoked(shard: number): void {
    this.#epochs.delete(shard);
    this.#queue.dropShard(shard);
    this.#saver.dropShard(shard);
    if (this.#taken.delete(shard)) this.#leaving.add(shard);
    this.#work.set();
  }

  /**
   * Publishes the accepted events, saves positions, and ends; events that cannot be published before the signal aborts are left to the next
   * owner.
   */
  async stop(signal: AbortSignal): Promise<void> {
    this.#isStopping = true;
    const giveUp = () => this.#giveUp.abort();
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    this.#work.set();
    await this.#loop;
    await this.#saver.drain(signal);
    if (!this.#giveUp.signal.aborted) await this.#handBack([...this.#leaving, ...this.#taken.keys()]);
    signal.removeEventListener('abort', giveUp);
  }

  /** Encodes a batch while the previous one is in flight. */
  async #run(): Promise<void> {
    let sending: Promise<void> = Promise.resolve();
    while (!this.#giveUp.signal.aborted) {
      if (this.#options.clock.monotonicMs() >= this.#announceAtMs) {
        await sending;
        await this.#announceGenerations();
        this.#announceAtMs = this.#options.clock.monotonicMs() + announceEveryMs;
      }
      const events = this.#queue.take(batchEventsMax, batchBytesMax);
      if (events.length === 0) {
        await sending;
        await this.#handBack([...this.#leaving]);
        if (this.#queue.length > 0) continue;
        if (this.#isStopping) break;
        await this.#work.wait(1000);
        continue;
      }
      this.#inFlight += events.length;
      const batch = await this.#untilDone(
        () => encodeBatch(this.#options.writer, this.#options.eventsTopic, this.#options.group, events),
        events,
      );
      await sending;
      await this.#handBack([...this.#leaving]);
      sending = batch === null ? this.#finish(events) : this.#publish(batch);
    }
    await sending;
  }

  async #publish(batch: EncodedBatch): Promise<void> {
    const { clock, metrics, producer } = this.#options;
    const startedMs = clock.monotonicMs();
    const isSent = await this.#untilDone(async () => {
      await this.#takeOver(batch.events);
      // A member that lost a shard must not write after the new owner; the brokers reject what it sends before it learns of the loss.
      for (const [topic, records] of batch.records) {
        const ours = records.filter(({ source }) => this.#isOurs(source));
        if (ours.length === 0) continue;
        for (const { source } of ours) this.#doubtful.add(source.event.shard);
        await producer.send(
          topic,
          ours.map(({ record }) => record),
        );
      }
      for (const { event } of batch.events) if (this.#epochs.has(event.shard)) this.#doubtful.delete(event.shard);
      return true;
    }, batch.events);
    if (isSent === true) {
      metrics.observe('relay_publish_seconds', (clock.monotonicMs() - startedMs) / 1000);
      metrics.count('relay_events_published_total', {}, batch.events.length - batch.poison.length);
      if (batch.poison.length > 0) this.#tellPoison(batch);
      this.#saver.note(
        this.#positionsOf(batch.events),
        batch.poison.filter(({ shard }) => this.#epochs.has(shard)),
      );
    }
    return this.#finish(batch.events);
  }

  /** Also for shards without new events: their readers have no other way to learn which events were lost. */
  async #announceGenerations(): Promise<void> {
    const { announcer, logger, producer, eventsTopic } = this.#options;
    const due = await unlessAborted(announcer.due(), this.#giveUp.signal).catch((error: unknown): readonly DueGeneration[] => {
      logger.warn({ errorCode: errorCode(error) }, 'relay.generations_read_failed');
      return [];
    });
    const owned = new Set(this.#consumption?.owned());
    const ours = (due ?? []).filter(({ shard, epoch }) => owned.has(shard) && (this.#epochs.get(shard) ?? 0) <= epoch);
    if (ours.length === 0) return;
    for (const { shard, epoch } of ours) this.#epochs.set(shard, epoch);
    await this.#untilDone(async () => {
      await this.#takeOver(ours);
      const reported = ours.filter((one) => this.#isOurs(one));
      for (const { shard } of reported) this.#doubtful.add(shard);
      await producer.send(eventsTopic, await announcer.recordsOf(reported));
      for (const { shard } of reported) if (this.#epochs.has(shard)) this.#doubtful.delete(shard);
      await announcer.note(reported);
      logger.info({ shards: reported.length, generation: reported[0]?.generation }, 'relay.generation_announced');
      return true;
    }, ours);
  }

  #tellPoison({ poison }: EncodedBatch): void {
    this.#options.metrics.count('log_poison_total', { consumer: this.#options.group }, poison.length);
    for (const { shard, offset, eventType, reason, detail } of poison.slice(0, 10)) {
      this.#options.logger.warn({ shard, sequence: offset, eventType, reason, detail }, 'relay.event_set_aside');
    }
  }

  async #finish(events: readonly QueuedEvent[]): Promise<void> {
    this.#inFlight -= events.length;
    this.#consumption?.wake();
  }

  /** Before the first record of a shard goes out under an epoch. */
  async #takeOver(leased: readonly LeasedShard[]): Promise<void> {
    const wanted = new Map<number, LeasedShard>();
    for (const one of leased) {
      const { shard, epoch } = one;
      if (this.#isOurs(one) && this.#taken.get(shard) !== epoch) wanted.set(shard, { shard, epoch });
    }
    if (wanted.size === 0) return;
    await this.#options.writers.takeOver([...wanted.values()], () => this.#handBack([...this.#leaving]));
    for (const { shard, epoch } of wanted.values()) {
      this.#leaving.delete(shard);
      if (this.#epochs.get(shard) === epoch) this.#taken.set(shard, epoch);
      else this.#leaving.add(shard);
    }
  }

  /** Never throws: the next owner fences a shard that was not handed back. */
  async #handBack(shards: readonly number[]): Promise<void> {
    const sure = shards.filter((shard) => !this.#doubtful.has(shard));
    for (const shard of shards) this.#leaving.delete(shard);
    if (sure.length === 0) return;
    await this.#options.writers
      .handBack(sure)
      .catch((error: unknown) => this.#options.logger.warn({ errorCode: errorCode(error) }, 'relay.shards_release_failed'));
  }

  #isOurs({ shard, epoch }: LeasedShard): boolean {
    return this.#epochs.get(shard) === epoch;
  }

  #positionsOf(events: readonly QueuedEvent[]): Position[] {
    const positions = new Map<number, Position>();
    for (const queued of events) {
      const { shard, offset, day } = queued.event;
      if (this.#isOurs(queued)) positions.set(shard, { shard, offset: offset + 1, day, epoch: queued.epoch });
    }
    return [...positions.values()];
  }

  /** Retries while brokers or the registry are unreachable; null when it was given up or no shard of the batch is ours any more. */
  async #untilDone<T>(work: () => Promise<T>, leased: readonly LeasedShard[]): Promise<T | null> {
    const { logger, metrics } = this.#options;
    for (let failures = 0; !this.#giveUp.signal.aborted; failures++) {
      if (!leased.some((one) => this.#isOurs(one))) return null;
      try {
        // A send can take half a minute; a stop does not wait for it, and the next owner writes the records again.
        return await unlessAborted(work(), this.#giveUp.signal);
      } catch (error) {
        if (errorCode(error) === 'kafka_producer_fenced') {
          this.#giveUp.abort();
          this.#fenced.reject(error);
          return null;
        }
        metrics.count('relay_failures_total', { code: errorCode(error) });
        logger.warn({ errorCode: errorCode(error), failures, events: leased.length }, 'relay.batch_failed');
        await sleep(exponentialDelayMs(failures, 100, 5000), this.#giveUp.signal);
      }
    }
    return null;
  }
}
