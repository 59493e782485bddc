import type { Clock } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { firstShardCount } from '@pulsewire/eventlog';
import {
  releaseGraceMs,
  releaseShards,
  takeShards,
  type Heartbeat,
  type Member,
  type ShardAssignment,
  type ShardCursors,
} from '@pulsewire/eventlog/group';
import { shardsOf } from '../records/topics.ts';

export interface AssignedShardsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly member: Member;
}

/** A member owns exactly the shards of the partitions that Kafka assigned to it. */
export class AssignedShards implements ShardAssignment {
  readonly #options: AssignedShardsOptions;
  #partitions: readonly number[] = [];
  /** Partitions of the topic. */
  #partitionCount = 1;
  #shardCount = firstShardCount;
  #wanted: ReadonlySet<number> = new Set();
  /** Shards that we do not own yet but should, and since when. */
  readonly #missingSinceMs = new Map<number, number>();

  constructor(options: AssignedShardsOptions) {
    this.#options = options;
  }

  /** Whether a shard that we do not own yet will be ours. */
  isAwaited(shard: number): boolean {
    return this.#wanted.has(shard) || shard >= this.#shardCount;
  }

  /**
   * Kafka assigned these partitions, out of this total. True when shards were assigned again before they were released: another member may
   * have owned them in between.
   */
  assign(partitions: readonly number[], partitionCount: number, cursors: ShardCursors): boolean {
    this.#partitions = partitions;
    this.#partitionCount = partitionCount;
    const shards = partitions.flatMap((partition) => shardsOf(partition, partitionCount, this.#shardCount));
    const cameBack = shards.some((shard) => cursors.isReleasing(shard));
    const nowMs = this.#options.clock.monotonicMs();
    this.#wanted = new Set(shards);
    cursors.cancelRelease(shards);
    cursors.startReleaseOf(
      cursors.shards().filter((shard) => !this.#wanted.has(shard)),
      nowMs,
    );
    this.#recordMissing(cursors, nowMs);
    return cameBack;
  }

  isSettled(cursors: ShardCursors): boolean {
    for (const shard of this.#wanted) if (cursors.epochOf(shard) === undefined) return false;
    return true;
  }

  startReleases({ shardCount }: Heartbeat, cursors: ShardCursors): void {
    if (shardCount === this.#shardCount) return;
    this.#shardCount = shardCount;
    this.assign(this.#partitions, this.#partitionCount, cursors);
  }

  async claim(_heartbeat: Heartbeat, cursors: ShardCursors): Promise<number> {
    const { clock, database, member } = this.#options;
    const nowMs = clock.monotonicMs();
    this.#recordMissing(cursors, nowMs);
    const missing = [...this.#missingSinceMs.keys()];
    if (missing.length === 0) return 0;
    const overdue = missing.filter((shard) => nowMs - (this.#missingSinceMs.get(shard) ?? nowMs) > releaseGraceMs);
    const free = await takeShards(database, member, missing, false);
    const held = overdue.filter((shard) => !free.some((owned) => owned.shard === shard));
    // Kafka's assignment is final: from here on the epoch refuses an owner that does not release its shard.
    const taken = held.length === 0 ? free : [...free, ...(await takeShards(database, member, held, true))];
    for (const owned of taken) if (this.#wanted.has(owned.shard)) cursors.add(owned);
    this.#recordMissing(cursors, nowMs);
    // Kafka may have assigned them to another member in the meantime.
    const unwanted = taken.map(({ shard }) => shard).filter((shard) => !this.#wanted.has(shard));
    if (unwanted.length > 0) await releaseShards(database, member, unwanted);
    return taken.length;
  }

  #recordMissing(cursors: ShardCursors, nowMs: number): void {
    const isMissing = (shard: number) => this.#wanted.has(shard) && cursors.epochOf(shard) === undefined;
    for (const shard of this.#missingSinceMs.keys()) if (!isMissing(shard)) this.#missingSinceMs.delete(shard);
    for (const shard of this.#wanted) if (isMissing(shard) && !this.#missingSinceMs.has(shard)) this.#missingSinceMs.set(shard, nowMs);
  }
}
