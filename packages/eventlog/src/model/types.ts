import type { Tx } from '@pulsewire/database';

/** Whether a change came with live data or with a historical pull. Webhooks send historical ones by team switch. */
export type EventOrigin = 'live' | 'historical';

/**
 * The body of an event: `json` is the exact text of the envelope's `data`;
 * `samples` is a packed batch that `expandSamples` turns into that text (a tenth of the bytes).
 */
export type EventBody = { readonly kind: 'json'; readonly json: string } | { readonly kind: 'samples'; readonly packed: Buffer };

/** An event as it is written. */
export interface NewEvent {
  /** UUIDv7 created at the write; the webhook id derives from it. */
  readonly eventId: string;
  readonly eventType: string;
  readonly teamId: string;
  /** null only for operational events, which have no user. */
  readonly userId: string | null;
  readonly clientUserId: string | null;
  readonly origin: EventOrigin;
  readonly body: EventBody;
  /** Trace id of the pull or request that caused it (32 hex digits), or null. */
  readonly traceId: string | null;
}

/**
 * An event as read, with its place in the log. `offset` is the event's sequence: in commit order, growing per user, dense within
 * a generation. `generationOf` returns the generation of an offset.
 */
export interface LogEvent extends NewEvent {
  readonly shard: number;
  readonly offset: number;
  /** Day partition, `YYYY-MM-DD`; never falls within a shard. */
  readonly day: string;
  /** When it was written, ms since the epoch. */
  readonly writtenAt: number;
}

/** Where to read a shard from. */
export interface ReadPoint {
  readonly shard: number;
  readonly offset: number;
  readonly day: string;
}

/** A consumer's position in a shard: everything below `offset` is recorded. */
export interface Position {
  readonly shard: number;
  readonly offset: number;
  readonly day: string;
  /**
   * Of the lease under which the events were read; a position moves only under the current epoch, and never under one from before a loss of
   * history.
   */
  readonly epoch: number;
}

/** The callbacks that a consumer passes to `consume`. */
export interface LogSink {
  /** How many more events it accepts now; checked before each read, 0 pauses. */
  capacity(): number;
  /** Events of one shard, in order. Must return at once; record processed events with `Consumption.savePositions`. */
  accept(shard: number, epoch: number, events: readonly LogEvent[]): void;
  /** The shard moved to another member: discard its events that are not recorded yet. */
  revoked(shard: number): void;
  /** Awaited before each batch is handed over, for instance to refresh routing. */
  prepare?(): Promise<void>;
}

/** A running consumer. */
export interface Consumption {
  /**
   * Writes positions inside the caller's transaction, so that they commit with the outcomes.
   * Throws AppError `lease_lost` when an epoch is stale: the caller must roll back and drop that shard's work.
   */
  savePositions(tx: Tx, positions: readonly Position[]): Promise<void>;
  /** To be called after that transaction committed (a broker commits its offsets here). */
  saved(positions: readonly Position[]): Promise<void>;
  /** Shards currently owned. */
  owned(): readonly number[];
  /** Triggers a read, for instance after capacity became available. */
  wake(): void;
  /** Releases the shards and stops; positions must be saved before. */
  stop(): Promise<void>;
}

/** The log as its consumers see it; implemented on Postgres, and on Kafka. */
export interface EventLog {
  /** Joins the group: shards are shared among its live members. */
  consume(options: {
    readonly group: string;
    readonly memberId: string;
    readonly from: 'start' | 'end';
    readonly sink: LogSink;
  }): Promise<Consumption>;
}

/**
 * Whether an event's body was removed with its user (`eraseUserEvents`). Operational events have no user and are never erased;
 * no other event of a user has empty data.
 */
export function isErased({ userId, clientUserId, body }: Pick<LogEvent, 'userId' | 'clientUserId' | 'body'>): boolean {
  return userId !== null && clientUserId === null && body.kind === 'json' && body.json === '{}';
}
