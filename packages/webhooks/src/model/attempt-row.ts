import { renderDateTime, type AttemptBody } from '@pulsewire/contract';
import { attemptOutcomes } from './attempt-outcome.ts';
import { messageIdOf } from './message-id.ts';
import { renderInstant } from './time/instants.ts';

/** A row of webhook_attempts, and when the next attempt is due. */
export interface AttemptRow {
  attempted_at: string;
  event_id: string;
  event_type: string;
  attempt: number;
  outcome: number;
  status: number | null;
  error: string | null;
  duration_ms: number;
  next_attempt_at: string | null;
}

const statuses: Readonly<Record<number, AttemptBody['status']>> = {
  [attemptOutcomes.delivered]: 'succeeded',
  [attemptOutcomes.superseded]: 'superseded',
};

/** An attempt as teams see it. */
export function toAttemptBody(row: AttemptRow): AttemptBody {
  return {
    message_id: messageIdOf(row.event_id),
    event_id: row.event_id,
    event_type: row.event_type,
    attempt: row.attempt,
    status: statuses[row.outcome] ?? 'failed',
    response_status: row.status,
    error: row.error,
    duration_ms: row.duration_ms,
    attempted_at: renderDateTime(Date.parse(row.attempted_at)),
    next_attempt_at: renderInstant(row.next_attempt_at),
  };
}
