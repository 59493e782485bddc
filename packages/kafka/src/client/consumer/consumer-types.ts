import type { Metrics } from '@pulsewire/kernel';

/** A record that was read. Its buffers are views into the response of the broker: copy what you keep. */
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
  /** Partitions assigned to us. They are not read until this resolves; it is called again when it throws. */
  onAssigned(partitions: readonly number[]): void | Promise<void>;
  /** Partitions revoked from us; may be called while `onAssigned` for them is pending. */
  onRevoked(partitions: readonly number[]): void;
  /** Must return at once. When it throws, the same records are handed over again after a pause. */
  onBatch(partition: number, messages: readonly KafkaMessage[]): void;
  /** Whether a batch of this partition can be accepted now; false pauses it until `resume` or until this returns true. */
  capacity(partition: number): boolean;
  /** How long a dead member keeps its partitions. */
  readonly sessionTimeoutMs?: number;
  /** How long a rebalance waits for an unresponsive member. */
  readonly rebalanceTimeoutMs?: number;
  /** Longest duration of an empty poll; a stop takes about as long. */
  readonly pollMs?: number;
  readonly partitionBytesMax?: number;
  /** How long a partition with records may deliver none, twice in a row, before the underlying consumer is replaced. */
  readonly stalledAfterMs?: number;
  readonly metrics?: Metrics;
}

export interface ConsumerHealth {
  /** Whether the last heartbeat found it a member of the group. */
  readonly isMember: boolean;
  /** How often the underlying consumer was replaced. */
  readonly rebuilds: number;
  /** Error type of the last replacement. */
  readonly lastReason: string | null;
}

export interface GuardedConsumer {
  /** Commits the next offset to read of each partition; ignores partitions of other members. Throws AppError `kafka_unavailable`. */
  commit(offsets: ReadonlyMap<number, bigint>): Promise<void>;
  committed(): Promise<Map<number, bigint>>;
  pause(partitions: readonly number[]): void;
  /** Ends a `pause` and checks `capacity` again. */
  resume(partitions: readonly number[]): void;
  /** Continues at this offset, forward or back. */
  seek(partition: number, offset: bigint): void;
  assigned(): readonly number[];
  health(): ConsumerHealth;
  /** Revokes everything and leaves the group. */
  stop(): Promise<void>;
}
