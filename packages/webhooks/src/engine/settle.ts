import type { LogEvent } from '@pulsewire/eventlog';
import type { SendResult } from '@pulsewire/outbound';
import { retryDelayMs } from '../schedule.ts';
import type { Message } from '../body.ts';
import type { Endpoint } from '../route.ts';
import type { AttemptFacts, AttemptOutcome, Delivery, RecordItem, UnsendableReason, WindowEntry } from './types.ts';

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
  const retryAfterMs = result.outcome === 'refused' ? result.retryAfterMs : undefined;
  const delayMs = result.outcome === 'delivered' ? null : retryDelayMs({ attempts, retryAfterMs, scheduleMs, random });
  const outcome: AttemptOutcome = result.outcome === 'delivered' ? 'delivered' : delayMs === null ? 'exhausted' : 'failed';
  const attempt: AttemptFacts = {
    outcome,
    status: result.outcome === 'failed' ? null : result.status,
    error: result.outcome === 'failed' ? result.error : null,
    durationMs: result.durationMs,
    attemptedAtMs,
    url,
  };
  // Without a row nothing has to be done to end it.
  const hasRow = delivery.hold !== 'window';
  const row = outcome === 'failed' ? (hasRow ? 'update' : 'insert') : hasRow ? 'delete' : 'none';
  return { delivery, attempt, row, attempts, dueInMs: Math.round(delayMs ?? 0), leaseMs: null, releases: !hasRow };
}

/** A delivery that becomes a row without an outcome: free for whoever claims it, or leased to us while its attempt goes on. */
export function parkItem(delivery: Delivery, leaseMs: number | null): RecordItem {
  return { delivery, attempt: null, row: 'insert', attempts: delivery.attempts, dueInMs: 0, leaseMs, releases: true };
}

/** A delivery whose body we do not have: given up at once, and visible among the attempts. */
export function unsendableItem(delivery: Delivery, error: UnsendableReason, atMs: number): RecordItem {
  const attempt: AttemptFacts = { outcome: 'exhausted', status: null, error, durationMs: 0, attemptedAtMs: atMs, url: null };
  const hasRow = delivery.hold !== 'window';
  return { delivery, attempt, row: hasRow ? 'delete' : 'none', attempts: delivery.attempts, dueInMs: 0, leaseMs: null, releases: !hasRow };
}

/** A row that somebody else may claim at once: we do not come to it. */
export function freeRowItem(delivery: Delivery): RecordItem {
  return { ...parkItem(delivery, null), row: 'update', releases: false };
}

interface DeliveryParts {
  readonly endpoint: Endpoint;
  readonly event: LogEvent;
  readonly message: Message;
  readonly entry: WindowEntry | null;
  readonly attempts: number;
}

/** A delivery that waits for its turn. */
export function newDelivery({ endpoint, event, message, entry, attempts }: DeliveryParts): Delivery {
  return {
    endpoint,
    event,
    message,
    entry,
    attempts,
    hold: entry === null ? 'row' : 'window',
    state: 'queued',
    startedAtMs: 0,
    leaseEndsAtMs: Infinity,
  };
}
