import { Type, type Static } from 'typebox';
import { DateTime, nullable, openEnum, optional } from '../fields/fields.ts';

const EndpointId = Type.String({ description: 'Id of the webhook endpoint.' });
const LastStatus = nullable(Type.Integer({ description: 'HTTP status.' }), { description: 'Null if there was no response.' });

/** Data of `message.attempt.exhausted`: the last attempt of a message failed. */
export const AttemptsExhausted = Type.Object(
  {
    endpoint_id: EndpointId,
    message_id: Type.String({ description: 'The webhook-id of all attempts.' }),
    event_type: Type.String({ description: 'Type of the event that was not delivered.' }),
    attempts: Type.Integer(),
    last_status: LastStatus,
    last_attempt_at: DateTime,
  },
  { title: 'AttemptsExhausted' },
);
export type AttemptsExhausted = Static<typeof AttemptsExhausted>;

/** Data of `endpoint.failing`: all deliveries have failed for a while; the endpoint will be disabled if that continues. */
export const EndpointFailing = Type.Object(
  { endpoint_id: EndpointId, failing_since: DateTime, last_status: LastStatus, last_attempt_at: DateTime },
  { title: 'EndpointFailing' },
);
export type EndpointFailing = Static<typeof EndpointFailing>;

/** Data of `endpoint.disabled`. The times of failing are null when it was disabled by hand. */
export const EndpointDisabled = Type.Object(
  {
    endpoint_id: EndpointId,
    reason: openEnum(
      ['failing', 'gone', 'declined', 'requested'],
      'gone: the endpoint responded 410. declined: its response asked for it with the header webhook-delivery.',
    ),
    failing_since: nullable(DateTime),
    last_status: LastStatus,
    last_attempt_at: nullable(DateTime),
  },
  { title: 'EndpointDisabled' },
);
export type EndpointDisabled = Static<typeof EndpointDisabled>;

/** Data of `endpoint.enabled`. */
export const EndpointEnabled = Type.Object(
  {
    endpoint_id: EndpointId,
    enabled_at: DateTime,
    missed_since: optional(DateTime, { description: 'Start of the outage: use it for a recovery or replay.' }),
  },
  { title: 'EndpointEnabled' },
);
export type EndpointEnabled = Static<typeof EndpointEnabled>;
