import { Type, type Static } from 'typebox';
import { closedEnum, DateTime, nullable, openEnum, Uuid } from '../../fields/fields.ts';
import { AttemptBody, timeRange } from './webhook-attempts.ts';
import { cursorFields, NextCursor } from './webhooks.ts';

const messageFields = {
  message_id: Type.String({ description: 'The webhook-id header: the same at every endpoint and on every attempt.' }),
  event_id: Uuid,
  event_type: Type.String(),
  user_id: nullable(Uuid, { description: 'Null for events without a user.' }),
  sequence: nullable(Type.Integer({ description: 'The webhook-sequence header; grows per user.' }), { description: 'Null for a test.' }),
  created_at: DateTime,
};

/** Delivery of a message at one endpoint. */
export const DeliveryBody = Type.Object(
  {
    webhook_id: Type.String(),
    status: openEnum(['succeeded', 'waiting', 'failed', 'superseded'], 'failed: all attempts failed.'),
    attempts: Type.Integer({ description: 'Of the latest series of attempts.' }),
    last_attempt_at: nullable(DateTime),
    next_attempt_at: nullable(DateTime),
  },
  { title: 'DeliveryBody' },
);
export type DeliveryBody = Static<typeof DeliveryBody>;

/** GET /v2/team/message. */
export const MessageListQuery = Type.Object(
  {
    event_type: Type.Optional(Type.String()),
    user_id: Type.Optional(Uuid),
    status: Type.Optional(
      closedEnum(['failed', 'waiting', 'succeeded'], {
        description:
          'Only messages with such a delivery, at the endpoint if one is given. failed and succeeded: the last attempt, and the newest attempt first.',
      }),
    ),
    webhook_id: Type.Optional(
      Type.String({ description: 'Only messages that were sent to this endpoint, or wait for it. Without a status: sent.' }),
    ),
    ...timeRange,
    ...cursorFields,
  },
  { title: 'MessageListQuery', additionalProperties: false },
);
export type MessageListQuery = Static<typeof MessageListQuery>;

export const MessageBody = Type.Object({ ...messageFields, deliveries: Type.Array(DeliveryBody) }, { title: 'MessageBody' });
export type MessageBody = Static<typeof MessageBody>;

export const MessageListBody = Type.Object({ data: Type.Array(MessageBody), next_cursor: NextCursor }, { title: 'MessageListBody' });
export type MessageListBody = Static<typeof MessageListBody>;

// The OpenAPI document lists the body of every event type here; our own responses need no check against all of them.
const WebhookPayload = Type.Object(
  {},
  {
    title: 'WebhookPayload',
    additionalProperties: true,
    description: 'The body, exactly as sent to endpoints. Teams with an earlier contract date receive its form.',
  },
);

/** GET /v2/team/message/{message_id}. */
export const MessageDetailBody = Type.Object(
  {
    ...messageFields,
    deliveries: Type.Array(DeliveryBody),
    body: nullable(WebhookPayload, { description: 'Null when it was erased with its user, or cannot be built.' }),
    attempts: Type.Array(Type.Object({ webhook_id: Type.String(), ...AttemptBody.properties }, { title: 'MessageAttemptBody' }), {
      description: 'Newest first, over all endpoints, at most 1,000.',
    }),
  },
  { title: 'MessageDetailBody' },
);
export type MessageDetailBody = Static<typeof MessageDetailBody>;

/** A message that is being sent, or was already being sent before the request. */
export const MessageSentBody = Type.Object(
  {
    message_id: Type.String(),
    event_type: Type.String(),
    status: openEnum(
      ['queued', 'held', 'under_way'],
      'queued: sent now. held: waits for earlier messages of its user (ordering per_user). under_way: being sent at this moment; nothing was added.',
    ),
  },
  { title: 'MessageSentBody' },
);
export type MessageSentBody = Static<typeof MessageSentBody>;

/** GET /v2/team/events: polling for the events that webhooks deliver. */
export const EventListQuery = Type.Object(
  {
    event_types: Type.Optional(Type.Array(Type.String(), { description: 'Exact event types; by default all except operational ones.' })),
    user_id: Type.Optional(Uuid),
    since: Type.Optional(DateTime),
    next_cursor: Type.Optional(Type.String()),
    limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
  },
  { title: 'EventListQuery' },
);
export type EventListQuery = Static<typeof EventListQuery>;

export const EventBody = Type.Object(
  {
    message_id: messageFields.message_id,
    sequence: Type.Integer({ description: 'The webhook-sequence header; grows per user.' }),
    created_at: DateTime,
    body: WebhookPayload,
  },
  { title: 'EventBody' },
);

export const EventListBody = Type.Object(
  {
    data: Type.Array(EventBody, { description: 'May be short, or empty, before the last page.' }),
    next_cursor: NextCursor,
    position: Type.String({ description: 'End of this page. Use it as `next_cursor` later to read newer events.' }),
  },
  { title: 'EventListBody' },
);
export type EventListBody = Static<typeof EventListBody>;

/** GET /v2/team/event_types. */
export const EventTypeBody = Type.Object(
  {
    event_type: Type.String(),
    description: Type.String(),
    operational: Type.Boolean({ description: 'Sent only to endpoints whose filter lists it.' }),
    deprecated: Type.Boolean(),
    schema: nullable(Type.Object({}, { additionalProperties: true }), { description: 'JSON Schema of the whole body.' }),
    example: nullable(WebhookPayload),
  },
  { title: 'EventTypeBody' },
);
export type EventTypeBody = Static<typeof EventTypeBody>;

export const EventTypeListBody = Type.Object({ data: Type.Array(EventTypeBody) }, { title: 'EventTypeListBody' });
