import type { Metrics } from '@pulsewire/kernel';

/** A record as it was read. Its buffers are views into the answer of the broker: copy what you keep. */
export interface KafkaMessage {
  readonly offset: bigint;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, Buffer | string | (Buffer | string)[] | undefined>>;
  /** Ms since the epoch. */
  readonly timestamp: number;
}

export interface GuardedConsumerOptions {
  readonly groupId: string;
  readonly topic: string;
  /** Partitions that are ours from now on; nothing of them is read until this resolves, and it is asked again when it throws. */
  onAssigned(partitions: readonly number[]): void | Promise<void>;
  /** Partitions that are no longer ours; may come while `onAssigned` for them is under way. */
  onRevoked(partitions: readonly number[]): void;
  /** Returns at once. When it throws, the same records come again after a pause. */
  onBatch(partition: number, messages: readonly KafkaMessage[]): void;
  /** Whether a batch of this partition would be taken now; false pauses it until `resume` or until this says true. */
  capacity(partition: number): boolean;
  /** How long a dead member keeps its partitions. */
  readonly sessionTimeoutMs?: number;
  /** How long a rebalance waits for a member that does not answer. */
  readonly rebalanceTimeoutMs?: number;
  /** Longest time that an empty poll takes; also about what a stop takes. */
  readonly pollMs?: number;
  readonly partitionBytesMax?: number;
  /** How long a partition that has records may bring none, twice in a row, before the consumer underneath is replaced. */
  readonly stalledAfterMs?: number;
  readonly metrics?: Metrics;
}

export interface ConsumerHealth {
  /** A member of the group, by the last heartbeat. */
  readonly isMember: boolean;
  /** How often the consumer underneath had to be replaced. */
  readonly rebuilds: number;
  /** Error type of the last replacement. */
  readonly lastReason: string | null;
}

export interface GuardedConsumer {
  /** Next offset to read for each partition; partitions of others are left out. Throws AppError `kafka_unavailable`. */
  commit(offsets: ReadonlyMap<number, bigint>): Promise<void>;
  committed(): Promise<Map<number, bigint>>;
  pause(partitions: readonly number[]): void;
  /** Ends a `pause`, and asks `capacity` again. */
  resume(partitions: readonly number[]): void;
  /** Goes on with this offset, forwards or back. */
  seek(partition: number, offset: bigint): void;
  assigned(): readonly number[];
  health(): ConsumerHealth;
  /** Revokes everything and leaves the group. */
  stop(): Promise<void>;
}
