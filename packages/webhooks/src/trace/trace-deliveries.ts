import type { AttemptBody } from '@pulsewire/contract';
import { plainArray, type Executor } from '@pulsewire/database';
import type { EventHeader } from '@pulsewire/eventlog';
import { isInAllTypes, isPipelineEvent } from '@pulsewire/contract';
import { toAttemptBody, type AttemptRow } from '../model/attempt-row.ts';

/** Delivery of an event at one endpoint. */
export interface DeliveryTrace {
  readonly endpointId: string;
  /** Oldest first. */
  readonly attempts: readonly AttemptBody[];
  /** When the next attempt is due; null when none is planned. */
  readonly waitsUntil: Date | null;
  /** Why the endpoint was sent nothing; null when there are attempts or one is due. */
  readonly withheld: 'not_subscribed' | 'history_not_pushed' | 'disabled' | 'created_later' | 'not_recorded' | null;
}

interface EndpointFacts {
  readonly endpoint_id: string;
  readonly filter_types: readonly string[] | null;
  readonly is_disabled: boolean;
  readonly created_at: string;
  readonly push_historical_data: boolean;
}

const attemptsMax = 2000;
const endpointsMax = 100;

/** Deliveries of a team's events at every endpoint, by event id. Attempts are kept for a limited time. */
export async function traceDeliveries(
  { sql }: Executor,
  teamId: string,
  events: readonly EventHeader[],
): Promise<ReadonlyMap<string, readonly DeliveryTrace[]>> {
  if (events.length === 0) return new Map();
  const endpoints = await sql<EndpointFacts[]>`
    SELECT e.endpoint_id, e.filter_types, e.is_disabled, e.created_at, t.push_historical_data
    FROM webhook_endpoints e JOIN teams t USING (team_id) WHERE e.team_id = ${teamId} ORDER BY e.created_at, e.endpoint_id LIMIT ${endpointsMax}`;
  const addresses = sql`unnest(
    ${plainArray(events.map(({ eventId }) => eventId))}::uuid[], ${plainArray(events.map(({ shard }) => shard))}::smallint[],
    ${plainArray(events.map(({ offset }) => offset))}::bigint[], ${plainArray(events.map(({ day }) => day))}::date[]
  ) AS m(event_id, shard, "offset", day)`;
  // By address, because a message that a deprecation derived from the event has its own id.
  const attempts = await sql<(AttemptRow & { readonly endpoint_id: string; readonly source_id: string })[]>`
    SELECT m.event_id AS source_id, a.endpoint_id, a.attempted_at, a.event_id, a.event_type, a.attempt, a.outcome, a.status, a.error,
      a.duration_ms, NULL AS next_attempt_at
    FROM ${addresses} CROSS JOIN LATERAL (
      SELECT * FROM webhook_attempts a WHERE a.shard = m.shard AND a."offset" = m."offset" AND a.day >= m.day - 1
    ) a
    ORDER BY a.attempted_at LIMIT ${attemptsMax}`;
  const waiting = await sql<{ readonly source_id: string; readonly endpoint_id: string; readonly due_at: string }[]>`
    SELECT m.event_id AS source_id, p.endpoint_id, p.due_at
    FROM ${addresses} JOIN webhook_pending p ON p.endpoint_id = ANY(${plainArray(endpoints.map((one) => one.endpoint_id))}::uuid[])
      AND p.shard = m.shard AND p."offset" = m."offset"`;
  const keyOf = (row: { readonly source_id: string; readonly endpoint_id: string }) => `${row.source_id} ${row.endpoint_id}`;
  const made = Map.groupBy(attempts, keyOf);
  const due = new Map(waiting.map((row) => [keyOf(row), row.due_at]));
  const removed = Map.groupBy(attempts, (row) => row.source_id);
  return new Map(
    events.map((event) => {
      const ids = new Set([...endpoints, ...(removed.get(event.eventId) ?? [])].map((one) => one.endpoint_id));
      return [event.eventId, [...ids].map((id) => traceOf(id, event))];
    }),
  );

  function traceOf(endpointId: string, event: EventHeader): DeliveryTrace {
    const key = `${event.eventId} ${endpointId}`;
    const [tried, dueAt] = [made.get(key) ?? [], due.get(key)];
    const facts = endpoints.find((one) => one.endpoint_id === endpointId);
    return {
      endpointId,
      attempts: tried.map(toAttemptBody),
      // Due at infinity: it waits for an earlier message of its user.
      waitsUntil: dueAt === undefined || dueAt === 'infinity' ? null : new Date(dueAt),
      withheld: tried.length > 0 || dueAt !== undefined || facts === undefined ? null : reasonOf(facts, event),
    };
  }
}

function reasonOf(endpoint: EndpointFacts, event: EventHeader): DeliveryTrace['withheld'] {
  const { filter_types: types } = endpoint;
  const isSubscribed = types === null ? isInAllTypes(event.eventType) : types.includes(event.eventType);
  if (!isSubscribed || isPipelineEvent(event.eventType)) return 'not_subscribed';
  if (event.origin === 'historical' && !endpoint.push_historical_data) return 'history_not_pushed';
  if (Date.parse(endpoint.created_at) > event.writtenAt) return 'created_later';
  return endpoint.is_disabled ? 'disabled' : 'not_recorded';
}
