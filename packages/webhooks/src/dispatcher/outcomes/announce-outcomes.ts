import { isOperationalEvent, renderDateTime, type AttemptsExhausted, type EndpointDisabled } from '@pulsewire/contract';
import { plainArray, textArray, type Tx } from '@pulsewire/database';
import { jsonEvent, type Emit } from '@pulsewire/eventlog';
import { uuidv5 } from '@pulsewire/kernel';
import { unknownType, type AttemptFacts, type RecordItem } from '../delivery/delivery.ts';

/**
 * Announces exhausted messages, except operational ones, which would cause a loop. The event id derives from the message and the endpoint,
 * so writing the same batch twice announces it once.
 */
export function announceExhausted(emit: Emit, items: readonly RecordItem[]): void {
  for (const { attempt, attempts, delivery } of items) {
    const { endpoint, message } = delivery;
    // The type of a dropped event may be unknown, so it may have been operational. Test events are not in the log.
    const isNotAnnounced = message.eventType === unknownType || isOperationalEvent(message.eventType) || delivery.event.shard < 0;
    if (attempt?.outcome !== 'exhausted' || isNotAnnounced) continue;
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

/** For each endpoint that requested to be disabled, the last attempt with that response. */
function goneIn(items: readonly RecordItem[]): ReadonlyMap<string, AttemptFacts> {
  const gone = new Map<string, AttemptFacts>();
  for (const { attempt, delivery } of items)
    if (attempt !== null && attempt.disables !== null) gone.set(delivery.endpoint.endpointId, attempt);
  return gone;
}

/** Locks the endpoints that `disableGone` will disable, in the order of their ids: endpoints are locked before pending rows. */
export async function lockGone({ sql }: Tx, items: readonly RecordItem[]): Promise<void> {
  const gone = goneIn(items);
  if (gone.size === 0) return;
  await sql`
    SELECT FROM webhook_endpoints WHERE endpoint_id = ANY(${plainArray([...gone.keys()])}::uuid[]) ORDER BY endpoint_id FOR UPDATE`;
}

/** Disables endpoints that responded 410 or requested it in a header, if they still have the URL that responded, and announces it. */
export async function disableGone({ sql }: Tx, emit: Emit, items: readonly RecordItem[]): Promise<void> {
  const gone = goneIn(items);
  if (gone.size === 0) return;
  const facts = [...gone.values()];
  const rows = await sql<{ endpoint_id: string; team_id: string; reason: 'gone' | 'declined' }[]>`
    UPDATE webhook_endpoints e
    SET is_disabled = true, disabled_reason = g.reason, disabled_at = clock_timestamp(), updated_at = clock_timestamp()
    FROM unnest(${plainArray([...gone.keys()])}::uuid[], ${textArray(facts.map(({ url }) => url))}::text[],
                ${textArray(facts.map(({ disables }) => disables))}::text[]) AS g(endpoint_id, url, reason)
    WHERE e.endpoint_id = g.endpoint_id AND e.url = g.url AND NOT e.is_disabled
    RETURNING e.endpoint_id, e.team_id, g.reason`;
  for (const row of rows) {
    const attempt = gone.get(row.endpoint_id);
    const data: EndpointDisabled = {
      endpoint_id: row.endpoint_id,
      reason: row.reason,
      failing_since: null,
      last_status: attempt?.status ?? null,
      last_attempt_at: attempt === undefined ? null : renderDateTime(attempt.attemptedAtMs),
    };
    emit(jsonEvent({ eventType: 'endpoint.disabled', teamId: row.team_id, userId: null, clientUserId: null, data }));
  }
}
