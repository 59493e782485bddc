import { isPipelineEvent, renderDateTime, type ExplainBody } from '@pulsewire/contract';
import { conclude, type DayHistory } from '@pulsewire/explain';
import { messageIdOf, type DeliveryTrace } from '@pulsewire/webhooks';

const responsesMax = 200;
const at = (date: Date) => renderDateTime(date.getTime());
const atOrNull = (date: Date | null | undefined) => (date ? at(date) : null);

function connectionsOf({ connections }: DayHistory): ExplainBody['connections'] {
  return connections.map(({ connection, plan, availability }) => ({
    provider: connection.provider,
    status: connection.status,
    created_at: at(connection.createdAt),
    error: connection.error && {
      type: connection.error.errorType,
      message: connection.error.message,
      at: at(connection.error.erroredAt),
    },
    availability: availability && {
      status: availability.status,
      granted_scopes: [...(availability.scope_requirements?.user_granted.required ?? [])],
      denied_scopes: [...(availability.scope_requirements?.user_denied.required ?? [])],
    },
    next_pull_at: plan?.stoppedAt ? null : atOrNull(plan?.nextPullAt),
    stopped_at: atOrNull(plan?.stoppedAt),
    resumes_at: atOrNull(plan?.resumeAt),
  }));
}

function requestsOf({ windows }: DayHistory): ExplainBody['requests'] {
  return windows
    .toSorted((a, b) => a.plannedAt.getTime() - b.plannedAt.getTime())
    .map((window) => ({
      pull: window.pull,
      reason: window.lane,
      start_date: window.startDate,
      end_date: window.endDate,
      state: window.state,
      error_code: window.errorCode,
      attempts: window.attempts,
      requested_at: at(window.plannedAt),
      started_at: atOrNull(window.startedAt),
      ended_at: atOrNull(window.finishedAt),
      due_at: window.state === 'planned' || window.state === 'failed' ? at(window.dueAt) : null,
      samples: window.samplesReceived,
      summaries: window.summariesReceived,
      set_aside: window.quarantined,
    }));
}

function responsesOf({ responses }: DayHistory): ExplainBody['responses'] {
  const all = responses.flatMap(({ provider, source, keptAt, responses: list, errorCode }): ExplainBody['responses'] => {
    const unopened = { provider, source, received_at: at(keptAt), place: null, status: null, bytes: null, version: null };
    if (list === null) return [{ ...unopened, error_code: errorCode }];
    return list.map((one) => ({
      provider,
      source,
      received_at: renderDateTime(Date.parse(one.receivedAt)),
      place: one.place,
      status: one.status,
      bytes: one.size,
      version: one.errorCode === null ? String(one.version) : null,
      error_code: one.errorCode,
    }));
  });
  return all.slice(-responsesMax);
}

function storedOf({ stored }: DayHistory): ExplainBody['stored'] {
  const of = (one: { readonly provider: string; readonly sourceType: string }) => ({ provider: one.provider, source_type: one.sourceType });
  const none = { count: null, first_at: null, last_at: null, updated_at: null };
  return [
    ...stored.summaries.map((one) => ({
      ...none,
      kind: 'summary',
      ...of(one),
      version: String(one.version),
      updated_at: at(one.updatedAt),
    })),
    ...stored.samples.map((one) => ({
      ...none,
      kind: 'samples',
      ...of(one),
      count: one.count,
      first_at: at(one.first),
      last_at: at(one.last),
      version: String(one.newestVersion),
    })),
    ...stored.removals.map((one) => ({
      ...none,
      kind: 'removal',
      ...of(one),
      first_at: at(one.from),
      last_at: at(one.to),
      version: String(one.version),
    })),
  ];
}

function renderDelivery({
  endpointId,
  attempts,
  waitsUntil,
  withheld,
}: DeliveryTrace): ExplainBody['events'][number]['deliveries'][number] {
  return {
    webhook_id: endpointId,
    attempts: attempts.map(({ attempt, status, response_status, error, duration_ms, attempted_at }) => ({
      attempt,
      status,
      response_status,
      error,
      duration_ms,
      attempted_at,
    })),
    next_attempt_at: atOrNull(waitsUntil),
    withheld,
  };
}

/** A day's history as teams see it: without events that only pipelines receive. */
export function renderExplanation(history: DayHistory): ExplainBody {
  const { user, resource, day, setAside, trace, deliveries } = history;
  const shown = trace.events.filter(({ header }) => !isPipelineEvent(header.eventType));
  // Deliveries are traced for the newest events only.
  const traced = shown.filter(({ header }) => deliveries.has(header.eventId));
  return {
    user_id: user.userId,
    resource,
    day,
    ...conclude(history),
    connections: connectionsOf(history),
    requests: requestsOf(history),
    responses: responsesOf(history),
    set_aside: setAside.map(({ reason, pointer, sightings, lastSeenAt }) => ({
      reason,
      pointer,
      sightings,
      last_seen_at: at(lastSeenAt),
    })),
    stored: storedOf(history),
    events: traced.map(({ header, samples }) => ({
      message_id: messageIdOf(header.eventId),
      event_type: header.eventType,
      origin: header.origin,
      created_at: renderDateTime(header.writtenAt),
      samples,
      deliveries: (deliveries.get(header.eventId) ?? []).map(renderDelivery),
    })),
    events_complete: !trace.isCut && traced.length === shown.length,
  };
}
