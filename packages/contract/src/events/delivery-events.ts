import { Type, type Static } from 'typebox';
import { DateTime, nullable, openEnum, optional } from '../fields/fields.ts';

const EndpointId = Type.String({ description: 'Id of the webhook endpoint.' });
const LastStatus = nullable(Type.Integer({ description: 'HTTP status.' }), { description: 'Null when no answer came.' });

/** Data of `message.attempt.exhausted`: the last attempt of a message failed. */
export const AttemptsExhausted = Type.Object(
  {
    endpoint_id: EndpointId,
    message_id: Type.String({ description: 'The webhook-id that all attempts carried.' }),
    event_type: Type.String({ description: 'Type of the event that was not delivered.' }),
    attempts: Type.Integer(),
    last_status: LastStatus,
    last_attempt_at: DateTime,
  },
  { title: 'AttemptsExhausted' },
);
export type AttemptsExhausted = Static<typeof AttemptsExhausted>;

/** Data of `endpoint.failing`: all deliveries have failed for a while; the endpoint will be disabled if that goes on. */
export const EndpointFailing = Type.Object(
  { endpoint_id: EndpointId, failing_since: DateTime, last_status: LastStatus, last_attempt_at: DateTime },
  { title: 'EndpointFailing' },
);
export type EndpointFailing = Static<typeof EndpointFailing>;

/** Data of `endpoint.disabled`. The times of failing are null when somebody disabled it by hand. */
export const EndpointDisabled = Type.Object(
  {
    endpoint_id: EndpointId,
    reason: openEnum(
      ['failing', 'gone', 'declined', 'requested'],
      'gone: the endpoint answered 410. declined: its answer asked for it by the header webhook-delivery.',
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
    missed_since: optional(DateTime, { description: 'Since when events did not arrive: where a recovery or a replay begins.' }),
  },
  { title: 'EndpointEnabled' },
);
export type EndpointEnabled = Static<typeof EndpointEnabled>;
