import type { IncomingHeaders } from '../records/event-record.ts';

/** A record as received from a broker. */
export interface IncomingRecord {
  /** Place in the partition. */
  readonly offset: bigint;
  readonly value: Buffer | null;
  readonly headers: IncomingHeaders;
}

/** The callbacks of a consumer. Each must return immediately and never throw. */
export interface ConsumerHandlers {
  /** Partitions assigned to us; reading begins at the committed offsets. */
  onAssigned(partitions: readonly number[]): void;
  /** Partitions revoked from us. */
  onRevoked(partitions: readonly number[]): void;
  onBatch(partition: number, records: readonly IncomingRecord[]): void;
  /** False: the partition is not read until this returns true again. */
  capacity(partition: number): boolean;
}

/** A running consumer of one topic. */
export interface RecordConsumer {
  /** Next offset to read, by partition; only for the lag and for a fast start: positions in Postgres are authoritative. */
  commit(offsets: ReadonlyMap<number, bigint>): Promise<void>;
  /** Checks `capacity` of these partitions again. */
  resume(partitions: readonly number[]): void;
  stop(): Promise<void>;
}

/** Joins a group; `partitions` are those of the topic. */
export interface ConsumerSource {
  partitions(): Promise<number>;
  open(groupId: string, handlers: ConsumerHandlers): Promise<RecordConsumer>;
}
