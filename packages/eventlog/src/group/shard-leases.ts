import type { Executor, Database, Tx } from '@pulsewire/database';
import { AppError, errorCode, isAppError, type Clock, type Logger, type Metrics, WakeSignal, within } from '@pulsewire/kernel';
import { ensureGeneration } from '../generation/ensure-generation.ts';
import { reachedPoints } from '../generation/reached.ts';
import { releaseShards } from './claim-shards.ts';
import { fenceOf } from './epochs.ts';
import { heartbeat, type Heartbeat } from './heartbeat.ts';
import { MemberWatch } from './member-watch.ts';
import type { Member } from './member.ts';
import { leaveGroup } from './members.ts';
import { movePositions } from './positions.ts';
import { seedGroup } from './seed-group.ts';
import { ShardCursors } from './shard-cursors.ts';
import { firstOffsetOf, generationOf } from '../model/offsets.ts';
import type { LogEvent, LogSink, Position } from '../model/types.ts';

/**
 * Advances cursors with no events left before the current generation to that generation: only there can a quiet shard be checked without
 * reading the log. `nextOffset` is one of the current generation.
 */
async function followGeneration(executor: Executor, cursors: ShardCursors, nextOffset: number): Promise<void> {
  const behind = cursors.pointsBelow(firstOffsetOf(generationOf(nextOffset)));
  if (behind.length === 0) return;
  const requested = new Map(behind.map(({ shard, offset }) => [shard, offset]));
  for (const point of await reachedPoints(executor, behind))
    if (cursors.nextOffsetOf(point.shard) === requested.get(point.shard)) cursors.passTo(point);
}

/** Decides which shards a member owns: an equal share of them, or those of the partitions that Kafka assigned. */
export interface ShardAssignment {
  /** False while shards remain to be claimed: the leases are then renewed more often. */
  isSettled(cursors: ShardCursors): boolean;
  /** Marks shards as being released where the member has too many. */
  startReleases(heartbeat: Heartbeat, cursors: ShardCursors): void;
  /** Claims missing shards and adds them to the cursors; returns their number. */
  claim(heartbeat: Heartbeat, cursors: ShardCursors): Promise<number>;
}

interface ShardLeasesOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly member: Member;
  readonly sink: LogSink;
  readonly assignment: ShardAssignment;
  /** Awaited after each heartbeat, before anything is read under the renewed leases. */
  onHeartbeat?(heartbeat: Heartbeat): Promise<void>;
  /** Shards were claimed or a generation began: there may be more to read. */
  onReadable(): void;
}

/** Shards by the epoch of the lease under which they were read. */
export type ShardEpochs = ReadonlyMap<number, number | undefined>;

/** Grace period for recording handed-over events before a shard is released or taken from its owner. */
export const releaseGraceMs = 3000;

const unsettledEveryMs = 100;

function heartbeatLate(): never {
  throw new AppError({
    code: 'heartbeat_late',
    kind: 'unavailable',
    message: 'Postgres did not respond to the heartbeat in time',
    retryable: true,
  });
}

/**
 * The leases of one member of a group, independent of the transport of the log: claims shards, renews its lease, saves positions under it,
 * hands events over only while it is valid, and gives shards up when it is lost.
 */
export class ShardLeases {
  readonly cursors = new ShardCursors();
  readonly #options: ShardLeasesOptions;
  readonly #watch: MemberWatch;
  readonly #signal = new WakeSignal();
  /** Shards whose positions were refused: released and claimed again, from the position in the database. */
  readonly #refused = new Set<number>();
  #validUntilMs = Number.NEGATIVE_INFINITY;
  #generation = 0;
  #isStopping = false;

  constructor(options: ShardLeasesOptions) {
    this.#options = options;
    this.#watch = new MemberWatch(options.member.leaseMs);
  }

  /** Generation of the log at the last heartbeat. An event of a later one waits for the next: a lease from before may be void. */
  get generation(): number {
    return this.#generation;
  }

  /** Joins the group; the loop of `run` retries a first heartbeat that fails. */
  async join(from: 'start' | 'end'): Promise<void> {
    const { database, member } = this.#options;
    await seedGroup(database, member.group, from);
    await this.#tryRenew();
  }

  /** Renews the leases until `stop`. */
  async run(): Promise<void> {
    const { assignment, member } = this.#options;
    while (!this.#isStopping) {
      const isSettled = this.cursors.releasing() === 0 && assignment.isSettled(this.cursors);
      await this.#signal.wait(isSettled ? member.leaseMs / 5 : unsettledEveryMs);
      if (!this.#isStopping) await this.#tryRenew();
    }
  }

  stop(): void {
    this.#isStopping = true;
    this.#signal.set();
  }

  /** After `run` has ended: releases every shard and leaves the group. */
  async leave(): Promise<void> {
    const { database, member } = this.#options;
    await leaveGroup(database, member).catch((error: unknown) => this.#warn('log.leave_failed', error));
  }

  /** Renews the leases now. */
  renewSoon(): void {
    this.#signal.set();
  }

  /** Hands over no events until Postgres has confirmed the leases again. */
  invalidate(): void {
    this.#validUntilMs = Number.NEGATIVE_INFINITY;
    this.#signal.set();
  }

  /** Whether Postgres recently confirmed the ownership of the shards: other members may claim them once a lease has expired. */
  isValid(): boolean {
    return this.#options.clock.monotonicMs() <= this.#validUntilMs;
  }

  async savePositions(tx: Tx, positions: readonly Position[]): Promise<void> {
    try {
      await movePositions(tx, this.#options.member, positions);
    } catch (error) {
      const shards = isAppError(error) && error.code === 'lease_lost' ? error.details['shards'] : undefined;
      if (Array.isArray(shards)) {
        for (const shard of shards) this.#refused.add(Number(shard));
        this.#signal.set();
      }
      throw error;
    }
  }

  saved(positions: readonly Position[]): void {
    for (const position of positions) this.cursors.recorded(position);
    if (this.cursors.releasing() > 0) this.#signal.set();
  }

  epochsOf(shards: Iterable<number>): ShardEpochs {
    return new Map([...shards].map((shard) => [shard, this.cursors.epochOf(shard)]));
  }

  /**
   * Hands events over to the sink, those of a shard in order. `epochs`: the leases under which they were read; a shard may have been
   * released since then, or claimed again under another epoch at a later position.
   */
  handOver(events: Iterable<LogEvent>, epochs: ShardEpochs): void {
    if (!this.isValid()) return;
    for (const [shard, batch] of Map.groupBy(events, (event) => event.shard)) {
      const epoch = epochs.get(shard);
      if (epoch === undefined) continue;
      const fresh = this.cursors.take(shard, epoch, batch);
      if (fresh.length > 0) this.#options.sink.accept(shard, epoch, fresh);
    }
  }

  async #tryRenew(): Promise<void> {
    try {
      await this.#renew();
    } catch (error) {
      this.#warn('log.heartbeat_failed', error);
      // From now on other members may claim the shards, and repeat all work that is not recorded.
      if (!this.isValid()) this.#drop(this.cursors.shards());
    }
  }

  async #renew(): Promise<void> {
    const { assignment, clock, database, logger, member, metrics, onReadable } = this.#options;
    const startedMs = clock.monotonicMs();
    const refused = new Set(this.#refused);
    const beat = await within(member.leaseMs * 0.5, this.#beat(), heartbeatLate);
    for (const shard of refused) this.#refused.delete(shard);
    this.#validUntilMs = startedMs + member.leaseMs * 0.8;
    const isOurs = (shard: number, epoch = this.cursors.epochOf(shard)) =>
      epoch !== undefined && beat.owned.get(shard) === epoch && fenceOf(epoch) === beat.fence && !refused.has(shard);
    this.#drop(this.cursors.shards().filter((shard) => !isOurs(shard)));
    await followGeneration(database, this.cursors, beat.nextOffset);
    if (this.#generation < generationOf(beat.nextOffset)) onReadable();
    this.#generation = generationOf(beat.nextOffset);

    assignment.startReleases(beat, this.cursors);
    const releasable = this.cursors.releasable(clock.monotonicMs(), releaseGraceMs);
    if (releasable.length > 0) {
      this.#drop(releasable);
      await releaseShards(database, member, releasable);
    }
    const claimed = await assignment.claim(beat, this.cursors);
    if (claimed > 0) {
      logger.info({ group: member.group, member: member.memberId, claimed, owned: this.cursors.count }, 'log.shards_claimed');
      onReadable();
    }
    metrics.gauge('log_shards_owned', this.cursors.count, { group: member.group });
  }

  async #beat(): Promise<Heartbeat> {
    const { clock, database, logger, member, onHeartbeat } = this.#options;
    const started = await ensureGeneration(database);
    if (started !== null) logger.warn({ group: member.group, ...started }, 'log.generation_started');
    const beat = await heartbeat(database, member, this.#watch, clock);
    await onHeartbeat?.(beat);
    return beat;
  }

  #drop(shards: readonly number[]): void {
    for (const shard of shards) {
      this.cursors.remove(shard);
      this.#options.sink.revoked(shard);
    }
  }

  #warn(event: string, error: unknown): void {
    this.#options.logger.warn({ group: this.#options.member.group, errorCode: errorCode(error) }, event);
  }
}
