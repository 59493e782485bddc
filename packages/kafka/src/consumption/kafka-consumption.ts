import { errorCode, sleep, type Clock, type Logger, type Metrics, WakeSignal } from '@pulsewire/kernel';
import type { Database, Tx } from '@pulsewire/database';
import { GenerationEnds, generationOf, readIdentity, reportLag, type Consumption, type LogSink, type Position } from '@pulsewire/eventlog';
import { runReadLoop, ShardLeases, type Heartbeat, type Member } from '@pulsewire/eventlog/group';
import type { ReaderCache } from '../records/reader-cache.ts';
import { partitionOf } from '../records/topics.ts';
import { AssignedShards } from './assigned-shards.ts';
import type { ConsumerSource, IncomingRecord, RecordConsumer } from './consumer-port.ts';
import { EventFeeder } from './event-feeder.ts';
import { PartitionBuffer } from './partition-buffer.ts';

export interface KafkaConsumptionOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly member: Member;
  readonly sink: LogSink;
  readonly source: ConsumerSource;
  readonly groupId: string;
  readonly readers: ReaderCache;
}

const bufferMax = 1000;
const pollMs = 250;
const sweepEveryMs = 1000;
const commitEveryMs = 500;

/** A group member that reads the log from Kafka. Kafka assigns partitions; positions, epochs and the events themselves stay in Postgres. */
export class KafkaConsumption implements Consumption {
  readonly #options: KafkaConsumptionOptions;
  readonly #ends = new GenerationEnds();
  readonly #assignment: AssignedShards;
  readonly #leases: ShardLeases;
  #feeder: EventFeeder | undefined;
  readonly #buffers = new Map<number, PartitionBuffer>();
  readonly #feedSignal = new WakeSignal();
  readonly #stopping = new AbortController();
  #partitions = 0;
  #consumer: RecordConsumer | undefined;
  #nextPartition = 0;
  #sweptAtMs = 0;
  #loops: Promise<unknown> = Promise.resolve();

  constructor(options: KafkaConsumptionOptions) {
    this.#options = options;
    this.#assignment = new AssignedShards(options);
    this.#leases = new ShardLeases({
      ...options,
      assignment: this.#assignment,
      onHeartbeat: (heartbeat) => this.#refreshEnds(heartbeat),
      onReadable: () => this.#feedSignal.set(),
    });
  }

  async start(from: 'start' | 'end'): Promise<void> {
    const { database, logger, member, metrics, source, groupId } = this.#options;
    this.#partitions = await source.partitions();
    this.#feeder = new EventFeeder({
      ...this.#options,
      identity: await readIdentity(database),
      ends: this.#ends,
      leases: this.#leases,
      group: member.group,
      isAwaited: (shard) => this.#assignment.isAwaited(shard),
    });
    await this.#leases.join(from);
    this.#consumer = await source.open(groupId, {
      onAssigned: (partitions) => this.#assign(partitions),
      onRevoked: (partitions) => this.#revoke(partitions),
      onBatch: (partition, records) => this.#take(partition, records),
      capacity: (partition) => this.#buffers.get(partition)?.hasRoom(bufferMax) ?? true,
    });
    const { signal } = this.#stopping;
    const feeding = runReadLoop({
      signal: this.#feedSignal,
      pollMs,
      isStopping: () => signal.aborted,
      readOnce: () => this.#feedAndSweep(),
      onError: (error) => logger.warn({ group: member.group, errorCode: errorCode(error) }, 'log.feed_failed'),
    });
    this.#loops = Promise.all([this.#leases.run(), feeding, this.#commitLoop(), reportLag(database, member.group, metrics, signal)]);
  }

  savePositions(tx: Tx, positions: readonly Position[]): Promise<void> {
    return this.#leases.savePositions(tx, positions);
  }

  async saved(positions: readonly Position[]): Promise<void> {
    this.#leases.saved(positions);
  }

  owned(): readonly number[] {
    return this.#leases.cursors.shards();
  }

  wake(): void {
    this.#feedSignal.set();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#feedSignal.set();
    this.#leases.stop();
    await this.#loops;
    await this.#commit();
    await this.#leases.leave();
    await this.#consumer?.stop().catch((error: unknown) => this.#warn('log.consumer_stop_failed', error));
  }

  /** Reading starts at the committed offsets; events that were handed over before are recognised by their sequence. */
  #assign(partitions: readonly number[]): void {
    for (const partition of partitions) this.#buffers.set(partition, new PartitionBuffer());
    this.#claimAssigned();
  }

  #revoke(partitions: readonly number[]): void {
    for (const partition of partitions) this.#buffers.delete(partition);
    this.#claimAssigned();
  }

  #claimAssigned(): void {
    const cameBack = this.#assignment.assign([...this.#buffers.keys()], this.#partitions, this.#leases.cursors);
    if (cameBack) this.#leases.invalidate();
    else this.#leases.renewSoon();
  }

  #take(partition: number, records: readonly IncomingRecord[]): void {
    this.#buffers.get(partition)?.push(records);
    this.#feedSignal.set();
  }

  /** Before anything is read under a new lease, we must know which events a lost primary had published. */
  async #refreshEnds({ nextOffset }: Heartbeat): Promise<void> {
    if (this.#ends.generation < generationOf(nextOffset)) await this.#ends.refresh(this.#options.database);
  }

  // Separate from the leases, which must not expire while a coordinator takes seconds to respond.
  async #commitLoop(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(commitEveryMs, signal);
      await this.#commit();
    }
  }

  async #commit(): Promise<void> {
    const offsets = new Map<number, bigint>();
    for (const [partition, buffer] of this.#buffers) {
      const next = buffer.takeCommit((shard) => this.#leases.cursors.recordedOf(shard));
      if (next !== null) offsets.set(partition, next);
    }
    if (offsets.size === 0) return;
    await this.#consumer?.commit(offsets).catch((error: unknown) => {
      for (const partition of offsets.keys()) this.#buffers.get(partition)?.uncommit();
      this.#warn('log.commit_failed', error);
    });
  }

  async #feedAndSweep(): Promise<boolean> {
    const hasFed = await this.#feedOnce();
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs - this.#sweptAtMs >= sweepEveryMs) {
      this.#sweptAtMs = nowMs;
      await this.#feeder?.sweep((shard) => this.#hasRecords(partitionOf(shard, this.#partitions)));
    }
    return hasFed;
  }

  /** Starts with another partition each time, so that a busy one cannot starve the rest. */
  async #feedOnce(): Promise<boolean> {
    if (!this.#leases.isValid()) return false;
    const ready = [...this.#buffers].filter(([, buffer]) => buffer.length > 0);
    this.#nextPartition += 1;
    for (let index = 0; index < ready.length; index++) {
      const [partition, buffer] = ready[(this.#nextPartition + index) % ready.length] as [number, PartitionBuffer];
      const hasFed = await this.#feeder?.feed(buffer, () => this.#buffers.get(partition) === buffer);
      if (buffer.takeRefusal(bufferMax / 2)) this.#consumer?.resume([partition]);
      if (hasFed === true) return true;
    }
    return false;
  }

  /** Whether waiting records may belong to a shard, including those queued behind a blocked record. */
  #hasRecords(partition: number): boolean {
    const buffer = this.#buffers.get(partition);
    return buffer !== undefined && buffer.length > 0 && !buffer.isBlocked;
  }

  #warn(event: string, error: unknown): void {
    this.#options.logger.warn({ group: this.#options.member.group, errorCode: errorCode(error) }, event);
  }
}
