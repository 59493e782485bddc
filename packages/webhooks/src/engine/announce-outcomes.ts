import { isOperationalEvent, renderDateTime, type AttemptsExhausted, type EndpointDisabled } from '@pulsewire/contract';
import { plainArray, textArray, type Tx } from '@pulsewire/database';
import { jsonEvent, type Emit } from '@pulsewire/eventlog';
import { uuidv5 } from '@pulsewire/kernel';
import type { RecordItem } from './types.ts';

/**
 * Tells of messages that were given up (contract 21.2 rule 3). Never of an operational message itself, so that this cannot feed
 * on itself. The id comes from the message and the endpoint: writing the same batch twice tells the same thing.
 */
export function announceExhausted(emit: Emit, items: readonly RecordItem[]): void {
  for (const { attempt, attempts, delivery } of items) {
    const { endpoint, message } = delivery;
    // Of an event that is gone the type is not known, so it may have been an operational one.
    if (attempt?.outcome !== 'exhausted' || attempt.error === 'event_gone' || isOperationalEvent(message.eventType)) continue;
    const data: AttemptsExhausted = {
      endpoint_id: endpoint.endpointId,
      message_id: message.messageId,
      event_type: message.eventType,
      attempts,
      last_status: attempt.status,
      last_attempt_at: renderDateTime(attempt.attemptedAtMs),
    };
    const eventId = uuidv5(message.eventId, `exhausted:${endpoint.endpointId}:${attempt.attemptedAtMs}`);
    emit(jsonEvent({ eventId, eventType: 'message.attempt.exhausted', teamId: endpoint.teamId, userId: null, clientUserId: null, data }));
  }
}

/** Disables endpoints that answered 410, if they still have the URL that answered, and tells of it. */
export async function disableGone({ sql }: Tx, emit: Emit, items: readonly RecordItem[]): Promise<void> {
  const gone = new Map(items.filter(({ attempt }) => attempt?.status === 410).map((item) => [item.delivery.endpoint.endpointId, item]));
  if (gone.size === 0) return;
  const urls = [...gone.values()].map(({ attempt }) => attempt?.url ?? '');
  const rows = await sql<{ endpoint_id: string; team_id: string }[]>`
    UPDATE webhook_endpoints e SET is_disabled = true, disabled_reason = 'gone', updated_at = clock_timestamp()
    FROM unnest(${plainArray([...gone.keys()])}::uuid[], ${textArray(urls)}::text[]) AS g(endpoint_id, url)
    WHERE e.endpoint_id = g.endpoint_id AND e.url = g.url AND NOT e.is_disabled
    RETURNING e.endpoint_id, e.team_id`;
  for (const row of rows) {
    const lastAttemptAtMs = gone.get(row.endpoint_id)?.attempt?.attemptedAtMs;
    const data: EndpointDisabled = {
      endpoint_id: row.endpoint_id,
      reason: 'gone',
      failing_since: null,
      last_status: 410,
      last_attempt_at: lastAttemptAtMs === undefined ? null : renderDateTime(lastAttemptAtMs),
    };
    emit(jsonEvent({ eventType: 'endpoint.disabled', teamId: row.team_id, userId: null, clientUserId: null, data }));
  }
}

/** Notes since when endpoints fail, or that they work again. Dispatchers tell only of changes, so this is rare. */
export async function noteFailing({ sql }: Tx, changes: ReadonlyMap<string, boolean>): Promise<void> {
  if (changes.size === 0) return;
  await sql`
    UPDATE webhook_endpoints e SET failing_since = CASE WHEN c.is_failing THEN coalesce(e.failing_since, clock_timestamp()) END
    FROM unnest(${plainArray([...changes.keys()])}::uuid[], ${plainArray([...changes.values()])}::boolean[]) AS c(endpoint_id, is_failing)
    WHERE e.endpoint_id = c.endpoint_id`;
}
