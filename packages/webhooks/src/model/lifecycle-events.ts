import { renderDateTime, type EndpointDisabled, type EndpointEnabled, type EndpointFailing } from '@pulsewire/contract';
import { jsonEvent, type NewEvent } from '@pulsewire/eventlog';

interface EndpointFacts {
  readonly teamId: string;
  readonly endpointId: string;
}

/** The last attempt: its HTTP status, null without a response, and its time in ms since the epoch. */
export interface LastAttempt {
  readonly status: number | null;
  readonly atMs: number;
}

export type DisabledReason = 'failing' | 'gone' | 'declined' | 'requested';

const instant = (ms: number | null): string | null => (ms === null ? null : renderDateTime(ms));

// These events concern an endpoint and not a user, so the envelope has three keys.
const operational = (eventType: string, teamId: string, data: object): NewEvent =>
  jsonEvent({ eventType, teamId, userId: null, clientUserId: null, data });

/** `endpoint.failing`: half of the time until the endpoint is disabled has passed. */
export function failingEvent({ teamId, endpointId }: EndpointFacts, failingSinceMs: number, last: LastAttempt): NewEvent {
  const data: EndpointFailing = {
    endpoint_id: endpointId,
    failing_since: renderDateTime(failingSinceMs),
    last_status: last.status,
    last_attempt_at: renderDateTime(last.atMs),
  };
  return operational('endpoint.failing', teamId, data);
}

/** `endpoint.disabled`; `failingSinceMs` and `last` are null unless failures are the reason. */
export function disabledEvent(
  { teamId, endpointId }: EndpointFacts,
  reason: DisabledReason,
  failingSinceMs: number | null = null,
  last: LastAttempt | null = null,
): NewEvent {
  const data: EndpointDisabled = {
    endpoint_id: endpointId,
    reason,
    failing_since: instant(failingSinceMs),
    last_status: last?.status ?? null,
    last_attempt_at: instant(last?.atMs ?? null),
  };
  return operational('endpoint.disabled', teamId, data);
}

/** `endpoint.enabled`; `missedSinceMs` is when events stopped arriving; null when unknown. */
export function enabledEvent({ teamId, endpointId }: EndpointFacts, enabledAtMs: number, missedSinceMs: number | null): NewEvent {
  const data: EndpointEnabled = {
    endpoint_id: endpointId,
    enabled_at: renderDateTime(enabledAtMs),
    missed_since: instant(missedSinceMs),
  };
  return operational('endpoint.enabled', teamId, data);
}
