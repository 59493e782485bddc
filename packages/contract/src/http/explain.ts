import { Type, type Static } from 'typebox';
import { closedEnum, DateOnly, DateTime, nullable, openEnum, Uuid } from '../fields/fields.ts';
import { resources } from '../resources/resources.ts';

/** Every verdict with its meaning. The codes are part of the API: they may be added to, but not renamed. */
export const verdicts = {
  stored: 'Data of the day is stored.',
  removed: 'The provider removed what it had sent.',
  user_deleted: 'The user was deleted.',
  outside_bounds: "The day is outside of the user's ingestion_start and ingestion_end.",
  set_aside: 'What the provider sent could not be mapped.',
  application_refused: "The provider refuses the operator's application.",
  pending: 'The day is still being read.',
  given_up: 'The provider could not be read.',
  provider_had_nothing: 'The provider was read and had nothing.',
  permission_denied: 'The user did not grant a permission that the resource needs.',
  not_supplied: 'No connected provider supplies the resource.',
  connection_stopped: 'The connection had stopped, so the day was not requested.',
  not_connected: 'The user has no connection.',
  not_requested: 'The day was never requested.',
} as const;

export type Verdict = keyof typeof verdicts;

/** GET /v2/introspect/explain. */
export const ExplainQuery = Type.Object(
  {
    user_id: Uuid,
    resource: closedEnum(resources.map(({ name }) => name)),
    day: Type.String({ format: 'date', description: 'In the local time of the user.' }),
  },
  { title: 'ExplainQuery', additionalProperties: false },
);

const scopes = Type.Array(Type.String());

const ExplainedConnection = Type.Object(
  {
    provider: Type.String({ description: 'Provider slug.' }),
    status: openEnum(['connected', 'error', 'paused']),
    created_at: DateTime,
    error: nullable(Type.Object({ type: Type.String(), message: Type.String(), at: DateTime })),
    availability: nullable(Type.Object({ status: openEnum(['available', 'unavailable']), granted_scopes: scopes, denied_scopes: scopes }), {
      description: 'Whether the user permits the resource; null when the provider does not supply it.',
    }),
    next_pull_at: nullable(DateTime),
    stopped_at: nullable(DateTime, { description: 'Not pulled since then.' }),
    resumes_at: nullable(DateTime, { description: 'The provider accepts no calls before then.' }),
  },
  { title: 'ExplainedConnection' },
);

const ExplainedRequest = Type.Object(
  {
    pull: Type.String({ description: 'Name of the request at the provider.' }),
    reason: openEnum(['live', 'backfill']),
    start_date: DateOnly,
    end_date: DateOnly,
    state: openEnum(['planned', 'running', 'done', 'failed', 'given_up'], 'failed: is retried.'),
    error_code: nullable(Type.String({ description: 'Stable error code.' })),
    attempts: Type.Integer({ description: 'Failed in a row.' }),
    requested_at: DateTime,
    started_at: nullable(DateTime),
    ended_at: nullable(DateTime),
    due_at: nullable(DateTime, { description: 'Of the next attempt.' }),
    samples: Type.Integer({ description: 'Received for all resources and days of the request.' }),
    summaries: Type.Integer(),
    set_aside: Type.Integer(),
  },
  { title: 'ExplainedRequest' },
);

const ExplainedResponse = Type.Object(
  {
    provider: Type.String(),
    source: openEnum(['pull', 'push']),
    received_at: DateTime,
    place: nullable(Type.String({ description: 'Method and path at the provider.' })),
    status: nullable(Type.Integer({ description: 'HTTP status.' })),
    bytes: nullable(Type.Integer(), { description: 'Null when it was too large to be kept.' }),
    version: nullable(Type.String({ description: 'Orders responses: the highest version of a value wins.' })),
    error_code: nullable(Type.String()),
  },
  { title: 'ExplainedResponse' },
);

const ExplainedStored = Type.Object(
  {
    kind: openEnum(['summary', 'samples', 'removal']),
    provider: Type.String(),
    source_type: Type.String(),
    count: nullable(Type.Integer({ description: 'Of samples.' })),
    first_at: nullable(DateTime),
    last_at: nullable(DateTime),
    version: Type.String({ description: 'Of the response that won.' }),
    updated_at: nullable(DateTime, { description: 'Of a summary.' }),
  },
  { title: 'ExplainedStored' },
);

const ExplainedAttempt = Type.Object(
  {
    attempt: Type.Integer(),
    status: openEnum(['succeeded', 'failed', 'superseded']),
    response_status: nullable(Type.Integer({ description: 'HTTP status.' }), { description: 'Null if there was no response.' }),
    error: nullable(Type.String({ description: 'Stable error code.' })),
    duration_ms: Type.Number(),
    attempted_at: DateTime,
  },
  { title: 'ExplainedAttempt' },
);

const ExplainedDelivery = Type.Object(
  {
    webhook_id: Type.String(),
    attempts: Type.Array(ExplainedAttempt),
    next_attempt_at: nullable(DateTime),
    withheld: nullable(openEnum(['not_subscribed', 'history_not_pushed', 'disabled', 'created_later', 'not_recorded']), {
      description: 'Why nothing was sent; null when there are attempts or one is due.',
    }),
  },
  { title: 'ExplainedDelivery' },
);

const ExplainedEvent = Type.Object(
  {
    message_id: Type.String({ description: 'The webhook-id header.' }),
    event_type: Type.String(),
    origin: Type.String(),
    created_at: DateTime,
    samples: nullable(Type.Integer({ description: 'Of the day in the event.' })),
    deliveries: Type.Array(ExplainedDelivery, { description: 'At each endpoint; empty when the team has none.' }),
  },
  { title: 'ExplainedEvent' },
);

/** Response of GET /v2/introspect/explain. */
export const ExplainBody = Type.Object(
  {
    user_id: Uuid,
    resource: Type.String(),
    day: DateOnly,
    verdict: openEnum(
      Object.keys(verdicts),
      Object.entries(verdicts)
        .map(([code, meaning]) => `${code}: ${meaning}`)
        .join(' '),
    ),
    reason: Type.String({ description: 'The verdict as a sentence.' }),
    remedy: nullable(Type.String(), { description: 'What to do about it; null when nothing need be done.' }),
    connections: Type.Array(ExplainedConnection),
    requests: Type.Array(ExplainedRequest, { description: 'Oldest first.' }),
    responses: Type.Array(ExplainedResponse, { description: 'As far as they are kept; at most the newest 200.' }),
    set_aside: Type.Array(
      Type.Object({ reason: Type.String(), pointer: Type.String(), sightings: Type.Integer(), last_seen_at: DateTime }),
    ),
    stored: Type.Array(ExplainedStored),
    events: Type.Array(ExplainedEvent, { description: 'Oldest first, at most the newest 200.' }),
    events_complete: Type.Boolean({ description: 'False when the log has more events than were searched or are listed.' }),
  },
  { title: 'ExplainBody', description: 'Contains no health data: only times, counts, sizes and states.' },
);
export type ExplainBody = Static<typeof ExplainBody>;
