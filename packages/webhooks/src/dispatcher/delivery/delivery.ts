import type { LogEvent } from '@pulsewire/eventlog';
import type { Message } from '../../bodies/body.ts';
import type { Fifo } from './fifo.ts';
import type { DeliveryState } from './transitions.ts';
import type { AttemptOutcome } from '../../model/attempt-outcome.ts';
import type { Endpoint } from '../../routing/route.ts';

/** An event read from the log whose position is not recorded yet. */
export interface UnrecordedEvent {
  readonly shard: number;
  readonly epoch: number;
  readonly offset: number;
  readonly day: string;
  readonly bytes: number;
  /** Monotonic milliseconds. */
  readonly acceptedAtMs: number;
  /** Deliveries that the position still waits for. Only the PositionTracker writes this field and the following ones. */
  readonly open: number;
  readonly deliveries: readonly Delivery[];
  /** The shard went to another member, so late outcomes of this event must not be recorded here. */
  readonly isDropped: boolean;
}

/** First attempts from the log, then retries and parked deliveries, then replays; in this order of priority. */
export type DeliveryKind = 'live' | 'retry' | 'replay';

/** Event × endpoint until settled. Only `delivery-state.ts` changes it. */
export interface Delivery {
  /** As it was when the delivery was made; the endpoint queue has the newest. */
  readonly endpoint: Endpoint;
  readonly event: LogEvent;
  readonly message: Message;
  /** null: claimed from webhook_pending. */
  readonly entry: UnrecordedEvent | null;
  readonly kind: DeliveryKind;
  /** Attempts made before this one. */
  readonly attempts: number;
  /** It is sent after everything earlier of the same user and endpoint. */
  readonly isOrdered: boolean;
  readonly replayId: string | null;
  /** The queue of its user in memory; only of ordered deliveries that came from the log. */
  readonly userQueue: UserQueue | null;
  /** An earlier owner of the shard may have recorded it already. */
  readonly mayBeRecorded: boolean;
  readonly state: DeliveryState;
  /** When its attempt started, in monotonic milliseconds. */
  readonly startedAtMs: number;
  /** When our lease of the row ends, in monotonic milliseconds; Infinity without a lease. */
  readonly leaseEndsAtMs: number;
}

/**
 * The in-memory part of one user's queue at an ordered endpoint. `lookup`: the check whether rows of this user wait is in progress.
 * `live`: there are none, and the head is sent from the log. `rows`: there are or will be some, so new deliveries become rows behind them.
 */
export interface UserQueue {
  readonly endpointId: string;
  readonly userId: string;
  readonly shard: number;
  mode: 'lookup' | 'live' | 'rows';
  /** Not settled, and not a row. */
  head: Delivery | null;
  readonly waiting: Fifo<Delivery>;
  /** Rows that are not committed yet, which a lookup cannot see. */
  unwritten: number;
}

export interface AttemptFacts {
  readonly outcome: AttemptOutcome;
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** Milliseconds since the epoch. */
  readonly attemptedAtMs: number;
  /** The requested URL; null when no request was made. */
  readonly url: string | null;
  /** Why to disable the endpoint; null: do not disable it. */
  readonly disables: 'gone' | 'declined' | null;
}

/**
 * Why no request can be made: the event has left the log, its body cannot be built, or it was erased with its user.
 */
export type UnsendableReason = 'event_gone' | 'body_unreadable' | 'erased';

/** One item of the next batch to record. */
export interface RecordItem {
  readonly delivery: Delivery;
  /** null: parked before or without an attempt. */
  readonly attempt: AttemptFacts | null;
  /** What happens to the row in webhook_pending. */
  readonly row: 'none' | 'insert' | 'update' | 'delete';
  /** Attempts made by now. */
  readonly attempts: number;
  /** When the next attempt is due, in milliseconds after the batch is written; null: once everything before it is settled. */
  readonly dueInMs: number | null;
  /** How long the row is leased to us after the batch is written; null: not leased. */
  readonly leaseMs: number | null;
  /** No request was made because the user is deleted: the delivery waits as a row. */
  readonly isHeld?: true;
  /** The position no longer waits for this delivery. */
  readonly releases: boolean;
}

/** The event type of a delivery whose event can no longer be read. */
export const unknownType = 'unknown';
