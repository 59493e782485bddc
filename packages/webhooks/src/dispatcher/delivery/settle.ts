import type { LogEvent } from '@pulsewire/eventlog';
import type { SendResult } from '@pulsewire/outbound';
import { retryDelayMs } from '../../model/schedule.ts';
import type { Message } from '../../model/body.ts';
import type { Endpoint } from '../../routing/route.ts';
import type { AttemptFacts, AttemptOutcome, Delivery, DeliveryKind, RecordItem, UnsendableReason, WindowEntry } from './delivery.ts';

export interface Settlement {
  readonly delivery: Delivery;
  readonly result: SendResult;
  /** Where the request went. */
  readonly url: string;
  /** When the attempt began, in milliseconds since the epoch. */
  readonly attemptedAtMs: number;
  readonly scheduleMs: readonly number[];
  readonly random: () => number;
}

/** What a finished attempt leaves to record: the attempt, and the next one or the end. */
export function settle({ delivery, result, url, attemptedAtMs, scheduleMs, random }: Settlement): RecordItem {
  const attempts = delivery.attempts + 1;
  const isDelivered = result.outcome === 'delivered';
  const isRefused = result.outcome === 'refused';
  const isAborted = isRefused && result.control === 'abort-message';
  const retryAfterMs = isRefused ? result.retryAfterMs : undefined;
  const delayMs = isDelivered || isAborted ? null : retryDelayMs({ attempts, retryAfterMs, scheduleMs, random });
  const outcome: AttemptOutcome = isDelivered ? 'delivered' : delayMs === null ? 'exhausted' : 'failed';
  const attempt: AttemptFacts = {
    outcome,
    status: result.outcome === 'failed' ? null : result.status,
    error: result.outcome === 'failed' ? result.error : isAborted ? 'aborted_by_receiver' : null,
    durationMs: result.durationMs,
    attemptedAtMs,
    url,
    disables: disablingOf(result),
  };
  // Without a row nothing has to be done to end it.
  const hasRow = delivery.hold !== 'window';
  const row = outcome === 'failed' ? (hasRow ? 'update' : 'insert') : hasRow ? 'delete' : 'none';
  return { delivery, attempt, row, attempts, dueInMs: Math.round(delayMs ?? 0), leaseMs: null, releases: !hasRow };
}

function disablingOf(result: SendResult): AttemptFacts['disables'] {
  if (result.outcome === 'failed') return null;
  if (result.status === 410) return 'gone';
  return result.control === 'disable' ? 'declined' : null;
}

/**
 * A delivery that becomes a row without an outcome: free for whoever claims it, or leased to us while its attempt goes on. An
 * ordered one is held back; the record frees it when it is the first of its user.
 */
export function parkItem(delivery: Delivery, leaseMs: number | null): RecordItem {
  const dueInMs = delivery.isOrdered ? null : 0;
  return { delivery, attempt: null, row: 'insert', attempts: delivery.attempts, dueInMs, leaseMs, releases: true };
}

/** Ends a delivery without a request; visible among the attempts. */
function endedItem(delivery: Delivery, facts: Pick<AttemptFacts, 'outcome' | 'error' | 'attemptedAtMs'>): RecordItem {
  const attempt: AttemptFacts = { ...facts, status: null, durationMs: 0, url: null, disables: null };
  const hasRow = delivery.hold !== 'window';
  return { delivery, attempt, row: hasRow ? 'delete' : 'none', attempts: delivery.attempts, dueInMs: 0, leaseMs: null, releases: !hasRow };
}

/** A delivery whose body we do not have: given up at once. */
export function unsendableItem(delivery: Delivery, error: UnsendableReason, atMs: number): RecordItem {
  return endedItem(delivery, { outcome: 'exhausted', error, attemptedAtMs: atMs });
}

/** A delivery of a summary whose newer version waits behind it. */
export function supersededItem(delivery: Delivery, atMs: number): RecordItem {
  return endedItem(delivery, { outcome: 'superseded', error: null, attemptedAtMs: atMs });
}

/** A delivery that an earlier owner of the shard has recorded: only the position has to learn of it. */
export function alreadyRecordedItem(delivery: Delivery): RecordItem {
  return { delivery, attempt: null, row: 'none', attempts: delivery.attempts, dueInMs: 0, leaseMs: null, releases: true };
}

/** A row that somebody else may claim at once: we do not come to it. */
export function freeRowItem(delivery: Delivery): RecordItem {
  return { delivery, attempt: null, row: 'update', attempts: delivery.attempts, dueInMs: 0, leaseMs: null, releases: false };
}

interface DeliveryParts {
  readonly endpoint: Endpoint;
  readonly event: LogEvent;
  readonly message: Message;
  readonly entry: WindowEntry | null;
  readonly attempts: number;
  /** Of a claimed row. */
  readonly row?: { readonly lane: DeliveryKind; readonly isOrdered: boolean; readonly replayId: string | null };
}

/** A delivery that waits for its turn. */
export function newDelivery({ endpoint, event, message, entry, attempts, row }: DeliveryParts): Delivery {
  return {
    endpoint,
    event,
    message,
    entry,
    lane: row?.lane ?? (entry === null ? 'retry' : 'live'),
    attempts,
    isOrdered: row?.isOrdered ?? (endpoint.ordering === 'per_user' && event.userId !== null),
    replayId: row?.replayId ?? null,
    userQueue: null,
    mayBeRecorded: false,
    hold: entry === null ? 'row' : 'window',
    state: 'queued',
    startedAtMs: 0,
    leaseEndsAtMs: Infinity,
  };
}
