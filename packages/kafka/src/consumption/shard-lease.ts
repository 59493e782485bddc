import type { Clock, Logger, Metrics } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { ensureGeneration, firstShardCount, type GenerationEnds, generationOf, type LogSink } from '@pulsewire/eventlog';
import {
  DoubtfulShards,
  fenceOf,
  followGeneration,
  heartbeat,
  type Member,
  MemberWatch,
  releaseShards,
  type ShardCursors,
  takeShards,
} from '@pulsewire/eventlog/group';

export interface ShardLeaseOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly member: Member;
  readonly sink: LogSink;
  readonly cursors: ShardCursors;
  readonly ends: GenerationEnds;
  onTaken(): void;
  /** The log has another number of shards: `want` is to be told anew. */
  onShardCount(): void;
  /** `keep` is to be called soon. */
  onDoubt(): void;
}

/** How long an owner may go on recording what it has under way before its shard is given back, or taken. */
const patienceMs = 3000;

/** Holds exactly the shards of the partitions that Kafka gave to this member. */
export class ShardLease {
  readonly #options: ShardLeaseOptions;
  readonly #watch: MemberWatch;
  #wanted: ReadonlySet<number> = new Set();
  readonly #missingSinceMs = new Map<number, number>();
  #validUntilMs = 0;
  #beatAtMs = Number.NEGATIVE_INFINITY;
  #shardCount = firstShardCount;
  readonly #doubtful: DoubtfulShards;

  constructor(options: ShardLeaseOptions) {
    this.#options = options;
    this.#watch = new MemberWatch(options.member.leaseMs);
    this.#doubtful = new DoubtfulShards(() => this.beatSoon());
  }

  /** Shards of the log, as the last heartbeat found them. */
  get shardCount(): number {
    return this.#shardCount;
  }

  /** Whether a shard that is not ours is to become ours. */
  isAwaited(shard: number): boolean {
    return this.#wanted.has(shard) || shard >= this.#shardCount;
  }

  /** The next `keep` asks Postgres whatever it knows. */
  beatSoon(): void {
    this.#beatAtMs = Number.NEGATIVE_INFINITY;
    this.#options.onDoubt();
  }

  /** Passes the outcome of saving positions on; a shard that was refused is given up and taken again. */
  watch(saving: Promise<void>): Promise<void> {
    return this.#doubtful.watch(saving);
  }

  /** False while shards are still to be taken or given back. */
  get isSettled(): boolean {
    return this.#missingSinceMs.size === 0 && this.#options.cursors.releasing() === 0;
  }

  /** Whether Postgres has confirmed lately that the shards are ours. */
  isValid(): boolean {
    return this.#options.clock.monotonicMs() <= this.#validUntilMs;
  }

  want(shards: readonly number[]): void {
    const { clock, cursors } = this.#options;
    const nowMs = clock.monotonicMs();
    // Shards that went and came back may have been somebody else's in between: nothing of them until Postgres has said whose they are.
    if (shards.some((shard) => cursors.isReleasing(shard))) this.#beatAtMs = this.#validUntilMs = Number.NEGATIVE_INFINITY;
    this.#wanted = new Set(shards);
    cursors.cancelRelease(shards);
    cursors.startReleaseOf(
      cursors.shards().filter((shard) => !this.#wanted.has(shard)),
      nowMs,
    );
    for (const shard of this.#missingSinceMs.keys()) if (!this.#wanted.has(shard)) this.#missingSinceMs.delete(shard);
    for (const shard of shards)
      if (cursors.epochOf(shard) === undefined && !this.#missingSinceMs.has(shard)) this.#missingSinceMs.set(shard, nowMs);
  }

  /** Says that the member lives, gives back what is not wanted any more, and takes what is. */
  async keep(): Promise<void> {
    const { clock, cursors, member, metrics } = this.#options;
    const nowMs = clock.monotonicMs();
    try {
      if (nowMs - this.#beatAtMs > member.leaseMs / 5 || !this.isSettled) await this.#beat(nowMs);
    } catch (error) {
      // Others may take over from now on, so what is not recorded is theirs.
      if (nowMs > this.#validUntilMs) this.#drop(cursors.shards());
      throw error;
    }
    await this.#giveBack(nowMs);
    await this.#take(nowMs);
    metrics.gauge('log_shards_owned', cursors.count, { group: member.group });
  }

  async #beat(nowMs: number): Promise<void> {
    const { clock, cursors, database, ends, logger, member, onShardCount } = this.#options;
    const started = await ensureGeneration(database);
    if (started !== null) logger.warn({ group: member.group, ...started }, 'log.generation_started');
    const doubtful = this.#doubtful.take();
    const { owned, fence, nextOffset, shardCount } = await heartbeat(database, member, this.#watch, clock);
    // Before anything is read under a new lease: what a lost primary had published has to be known by then.
    if (ends.generation < generationOf(nextOffset)) await ends.refresh(database);
    this.#beatAtMs = nowMs;
    this.#validUntilMs = nowMs + member.leaseMs * 0.8;
    const isOurs = (shard: number, epoch = cursors.epochOf(shard)) =>
      epoch !== undefined && owned.get(shard) === epoch && fenceOf(epoch) === fence && !doubtful.has(shard);
    this.#drop(cursors.shards().filter((shard) => !isOurs(shard)));
    await followGeneration(database, cursors, nextOffset);
    if (shardCount === this.#shardCount) return;
    this.#shardCount = shardCount;
    onShardCount();
  }

  #drop(shards: readonly number[]): void {
    const { clock, cursors, sink } = this.#options;
    for (const shard of shards) {
      cursors.remove(shard);
      sink.revoked(shard);
      if (this.#wanted.has(shard)) this.#missingSinceMs.set(shard, clock.monotonicMs());
    }
  }

  async #giveBack(nowMs: number): Promise<void> {
    const { cursors, database, member } = this.#options;
    const releasable = cursors.releasable(nowMs, patienceMs);
    if (releasable.length === 0) return;
    this.#drop(releasable);
    await releaseShards(database, member, releasable);
  }

  async #take(nowMs: number): Promise<void> {
    const { cursors, database, logger, member, onTaken } = this.#options;
    const missing = [...this.#missingSinceMs.keys()];
    if (missing.length === 0) return;
    const overdue = missing.filter((shard) => nowMs - (this.#missingSinceMs.get(shard) ?? nowMs) > patienceMs);
    const free = await takeShards(database, member, missing, false);
    const held = overdue.filter((shard) => !free.some((owned) => owned.shard === shard));
    // Kafka has decided; an owner that does not let go is refused by its epoch from here on.
    const taken = held.length === 0 ? free : [...free, ...(await takeShards(database, member, held, true))];
    if (taken.length === 0) return;
    for (const owned of taken.filter(({ shard }) => this.#wanted.has(shard))) {
      cursors.add(owned);
      this.#missingSinceMs.delete(owned.shard);
    }
    // Kafka may have changed its mind while we asked.
    const unwanted = taken.map(({ shard }) => shard).filter((shard) => !this.#wanted.has(shard));
    if (unwanted.length > 0) await releaseShards(database, member, unwanted);
    logger.info({ group: member.group, member: member.memberId, claimed: taken.length, owned: cursors.count }, 'log.shards_claimed');
    onTaken();
  }
}
