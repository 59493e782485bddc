import { errorCode, exponentialDelayMs, type Clock, type Logger, type Metrics, WakeSignal } from '@pulsewire/kernel';
import type { Database, Tx } from '@pulsewire/database';
import { type Consumption, GenerationEnds, type LogSink, type Position, readIdentity, readLag } from '@pulsewire/eventlog';
import { leaveGroup, type Member, movePositions, seedGroup, ShardCursors } from '@pulsewire/eventlog/group';
import type { ReaderCache } from '../records/reader-cache.ts';
import { partitionOf, shardsOf } from '../records/topics.ts';
import type { ConsumerSource, IncomingRecord, RecordConsumer } from './consumer-port.ts';
import { EventFeeder } from './event-feeder.ts';
import { PartitionBuffer } from './partition-buffer.ts';
import { ShardLease } from './shard-lease.ts';

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
const lagEveryMs = 5000;

/** One member that reads the log from Kafka. Kafka says which partitions are whose; positions, epochs and the truth stay in Postgres. */
export class KafkaConsumption implements Consumption {
  readonly #options: KafkaConsumptionOptions;
  readonly #cursors = new ShardCursors();
  readonly #ends = new GenerationEnds();
  #feeder: EventFeeder | undefined;
  readonly #lease: ShardLease;
  readonly #buffers = new Map<number, PartitionBuffer>();
  readonly #feedSignal = new WakeSignal();
  readonly #leaseSignal = new WakeSignal();
  #partitions = 0;
  #consumer: RecordConsumer | undefined;
  #committing: Promise<void> | undefined;
  #isStopping = false;
  #turn = 0;
  #loops: Promise<unknown> = Promise.resolve();

  constructor(options: KafkaConsumptionOptions) {
    this.#options = options;
    this.#lease = new ShardLease({
      ...options,
      cursors: this.#cursors,
      ends: this.#ends,
      onTaken: () => this.#feedSignal.set(),
      onShardCount: () => this.#wantShards(),
      onDoubt: () => this.#leaseSignal.set(),
    });
  }

  async start(from: 'start' | 'end'): Promise<void> {
    const { database, member, source, groupId } = this.#options;
    this.#partitions = await source.partitions();
    await seedGroup(database, member.group, from);
    this.#feeder = new EventFeeder({
      ...this.#options,
      identity: await readIdentity(database),
      ends: this.#ends,
      cursors: this.#cursors,
      group: member.group,
      isLeased: () => this.#lease.isValid(),
      isAwaited: (shard) => this.#lease.isAwaited(shard),
      onNewGeneration: () => this.#lease.beatSoon(),
    });
    // The lease loop asks again.
    await this.#lease.keep().catch((error: unknown) => this.#warn('log.heartbeat_failed', error));
    this.#consumer = await source.open(groupId, {
      onAssigned: (partitions) => this.#assign(partitions),
      onRevoked: (partitions) => this.#revoke(partitions),
      onBatch: (partition, records) => this.#take(partition, records),
      capacity: (partition) => this.#buffers.get(partition)?.hasRoom(bufferMax) ?? true,
    });
    this.#loops = Promise.all([this.#leaseLoop(), this.#feedLoop()]);
  }

  savePositions(tx: Tx, positions: readonly Position[]): Promise<void> {
    return this.#lease.watch(movePositions(tx, this.#options.member, positions));
  }

  async saved(positions: readonly Position[]): Promise<void> {
    for (const position of positions) this.#cursors.recorded(position);
    if (this.#cursors.releasing() > 0) this.#leaseSignal.set();
  }

  owned(): readonly number[] {
    return this.#cursors.shards();
  }

  wake(): void {
    this.#feedSignal.set();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#feedSignal.set();
    this.#leaseSignal.set();
    await this.#loops;
    await this.#committing;
    await this.#commit();
    const { database, member } = this.#options;
    await leaveGroup(database, member).catch((error: unknown) => this.#warn('log.leave_failed', error));
    await this.#consumer?.stop().catch((error: unknown) => this.#warn('log.consumer_stop_failed', error));
  }

  /** Reading begins at the committed offsets; what was handed over already is told apart by its sequence. */
  #assign(partitions: readonly number[]): void {
    for (const partition of partitions) this.#buffers.set(partition, new PartitionBuffer());
    this.#wantShards();
  }

  #revoke(partitions: readonly number[]): void {
    for (const partition of partitions) this.#buffers.delete(partition);
    this.#wantShards();
  }

  #wantShards(): void {
    this.#lease.want([...this.#buffers.keys()].flatMap((partition) => shardsOf(partition, this.#partitions, this.#lease.shardCount)));
    this.#leaseSignal.set();
  }

  #take(partition: number, records: readonly IncomingRecord[]): void {
    this.#buffers.get(partition)?.push(records);
    this.#feedSignal.set();
  }

  async #leaseLoop(): Promise<void> {
    const { clock, database, member, metrics } = this.#options;
    let committedAtMs = 0;
    let toldAtMs = 0;
    while (!this.#isStopping) {
      await this.#leaseSignal.wait(this.#lease.isSettled ? commitEveryMs : 100);
      if (this.#isStopping) return;
      await this.#lease.keep().catch((error: unknown) => this.#warn('log.heartbeat_failed', error));
      const nowMs = clock.monotonicMs();
      if (nowMs - committedAtMs >= commitEveryMs) {
        committedAtMs = nowMs;
        // Not waited for: while a coordinator is away it takes seconds, and the lease must not run out over it.
        this.#committing ??= this.#commit().finally(() => (this.#committing = undefined));
      }
      if (nowMs - toldAtMs < lagEveryMs) continue;
      toldAtMs = nowMs;
      const lag = await readLag(database, member.group).catch(() => null);
      if (lag === null) continue;
      metrics.gauge('log_lag_events', lag.events, { group: member.group });
      metrics.gauge('log_oldest_unread_age_seconds', lag.oldestAgeMs / 1000, { group: member.group });
    }
  }

  async #commit(): Promise<void> {
    const offsets = new Map<number, bigint>();
    for (const [partition, buffer] of this.#buffers) {
      const next = buffer.takeCommit((shard) => this.#cursors.recordedOf(shard));
      if (next !== null) offsets.set(partition, next);
    }
    if (offsets.size === 0) return;
    await this.#consumer?.commit(offsets).catch((error: unknown) => {
      for (const partition of offsets.keys()) this.#buffers.get(partition)?.uncommit();
      this.#warn('log.commit_failed', error);
    });
  }

  async #feedLoop(): Promise<void> {
    let failures = 0;
    let sweptAtMs = 0;
    while (!this.#isStopping) {
      try {
        const hasFed = await this.#feedOnce();
        const nowMs = this.#options.clock.monotonicMs();
        if (nowMs - sweptAtMs >= sweepEveryMs) {
          sweptAtMs = nowMs;
          await this.#feeder?.sweep((shard) => this.#hasRecords(partitionOf(shard, this.#partitions)));
        }
        failures = 0;
        if (!hasFed) await this.#feedSignal.wait(pollMs);
      } catch (error) {
        this.#warn('log.feed_failed', error);
        failures += 1;
        await this.#feedSignal.wait(exponentialDelayMs(failures, 50, 2000));
      }
    }
  }

  /** Beginning with another partition each time, so that a busy one cannot starve the rest. */
  async #feedOnce(): Promise<boolean> {
    if (!this.#lease.isValid()) return false;
    const ready = [...this.#buffers].filter(([, buffer]) => buffer.length > 0);
    this.#turn += 1;
    for (let tries = 0; tries < ready.length; tries++) {
      const [partition, buffer] = ready[(this.#turn + tries) % ready.length] as [number, PartitionBuffer];
      const hasFed = await this.#feeder?.feed(buffer, () => this.#buffers.get(partition) === buffer);
      if (buffer.takeRefusal(bufferMax / 2)) this.#consumer?.resume([partition]);
      if (hasFed === true) return true;
    }
    return false;
  }

  /** Whether records wait that may be those of a shard; behind one that is blocked they may wait for just that shard. */
  #hasRecords(partition: number): boolean {
    const buffer = this.#buffers.get(partition);
    return buffer !== undefined && buffer.length > 0 && !buffer.isBlocked;
  }

  #warn(event: string, error: unknown): void {
    this.#options.logger.warn({ group: this.#options.member.group, code: errorCode(error) }, event);
  }
}
