import type { SendResult } from '@pulsewire/outbound';
import { retryDelayMs } from '../../model/time/retry-schedule.ts';
import type { AttemptOutcome } from '../../model/attempt-outcome.ts';
import type { AttemptFacts, Delivery, RecordItem } from './delivery.ts';
import { hasRow } from './delivery-state.ts';

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

/** The record of a finished attempt: its outcome, and when the next attempt is due if there is one. */
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
  const isRow = hasRow(delivery);
  const row = outcome === 'failed' ? (isRow ? 'update' : 'insert') : isRow ? 'delete' : 'none';
  return { delivery, attempt, row, attempts, dueInMs: Math.round(delayMs ?? 0), leaseMs: null, releases: !isRow };
}

function disablingOf(result: SendResult): AttemptFacts['disables'] {
  if (result.outcome === 'failed') return null;
  if (result.status === 410) return 'gone';
  return result.control === 'disable' ? 'declined' : null;
}
