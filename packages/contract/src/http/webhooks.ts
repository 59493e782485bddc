import { Type, type Static } from 'typebox';
import { closedEnum, DateTime, nullable, openEnum, optional, optionalInput, Uuid } from '../fields.ts';

const RateLimit = Type.Integer({ minimum: 1, description: 'Messages per second.' });
const Url = Type.String({ format: 'uri' });
const FilterTypes = Type.Array(Type.String({ minLength: 1 }), { description: 'Exact event types; null or empty means all.' });

/** An endpoint as we answer (contract 21.3). */
export const WebhookBody = Type.Object(
  {
    id: Type.String(),
    description: optional(Type.String()),
    rate_limit: optional(Type.Integer({ description: 'Messages per second.' })),
    url: Type.String(),
    disabled: optional(Type.Boolean({ default: false })),
    filter_types: optional(FilterTypes),
    created_at: DateTime,
    updated_at: DateTime,
  },
  { title: 'WebhookBody' },
);
export type WebhookBody = Static<typeof WebhookBody>;

/** POST /v2/team/webhook. */
export const CreateWebhookBody = Type.Object(
  {
    description: Type.Optional(Type.String({ default: '' })),
    rate_limit: optionalInput(RateLimit),
    url: Url,
    disabled: Type.Optional(Type.Boolean({ default: false })),
    filter_types: optionalInput(FilterTypes),
    secret: optionalInput(
      Type.String({ pattern: '^whsec_[A-Za-z0-9+/]+={0,2}$', description: 'whsec_ and base64; made here when absent.' }),
    ),
  },
  { title: 'CreateWebhookBody' },
);
export type CreateWebhookBody = Static<typeof CreateWebhookBody>;

/** PATCH /v2/team/webhook/{webhook_id}. */
export const UpdateWebhookBody = Type.Object(
  {
    description: optionalInput(Type.String()),
    rate_limit: optionalInput(RateLimit),
    url: optionalInput(Url),
    disabled: optionalInput(Type.Boolean()),
    filter_types: optionalInput(FilterTypes),
  },
  { title: 'UpdateWebhookBody' },
);
export type UpdateWebhookBody = Static<typeof UpdateWebhookBody>;

const cursorFields = {
  next_cursor: Type.Optional(Type.String()),
  limit: Type.Integer({ minimum: 1, maximum: 250, default: 50 }),
};
const NextCursor = nullable(Type.String(), { description: 'Null on the last page.' });

/** GET /v2/team/webhook. */
export const WebhookListQuery = Type.Object(cursorFields, { title: 'WebhookListQuery' });
export type WebhookListQuery = Static<typeof WebhookListQuery>;

export const WebhookListBody = Type.Object({ data: Type.Array(WebhookBody), next_cursor: NextCursor }, { title: 'WebhookListBody' });
export type WebhookListBody = Static<typeof WebhookListBody>;

/** GET …/headers: values of sensitive ones are left out. */
export const WebhookHeadersBody = Type.Object(
  { headers: Type.Record(Type.String(), Type.String()), sensitive: Type.Array(Type.String()) },
  { title: 'WebhookHeadersBody' },
);
export type WebhookHeadersBody = Static<typeof WebhookHeadersBody>;

/** PUT …/headers: replaces them all. */
export const UpdateWebhookHeadersBody = Type.Object(
  { headers: Type.Record(Type.String(), Type.String()), sensitive: Type.Optional(Type.Array(Type.String())) },
  { title: 'UpdateWebhookHeadersBody' },
);
export type UpdateWebhookHeadersBody = Static<typeof UpdateWebhookHeadersBody>;

/** GET …/secret. */
export const WebhookSecretBody = Type.Object({ key: Type.String({ description: 'whsec_ and base64.' }) }, { title: 'WebhookSecretBody' });
export type WebhookSecretBody = Static<typeof WebhookSecretBody>;

/** POST …/secret/rotate: null makes a new one; the old one signs beside it for 24 hours (contract 21.1). */
export const RotateWebhookSecretBody = Type.Object(
  { key: optionalInput(Type.String({ pattern: '^whsec_[A-Za-z0-9+/]+={0,2}$' })) },
  { title: 'RotateWebhookSecretBody' },
);
export type RotateWebhookSecretBody = Static<typeof RotateWebhookSecretBody>;

const attemptStatuses = ['succeeded', 'failed'] as const;

/** GET …/attempt. */
export const AttemptListQuery = Type.Object(
  { status: Type.Optional(closedEnum(attemptStatuses)), ...cursorFields },
  { title: 'AttemptListQuery' },
);
export type AttemptListQuery = Static<typeof AttemptListQuery>;

/** One HTTP try of the delivery log. */
export const AttemptBody = Type.Object(
  {
    message_id: Type.String({ description: 'The webhook-id header.' }),
    event_id: Uuid,
    event_type: Type.String(),
    attempt: Type.Integer({ minimum: 1, description: 'Counts the tries of this message at this endpoint.' }),
    status: openEnum(attemptStatuses),
    response_status: nullable(Type.Integer({ description: 'HTTP status.' }), { description: 'Null when no answer came.' }),
    error: nullable(Type.String({ description: 'Stable code of what failed.' })),
    duration_ms: Type.Number(),
    attempted_at: DateTime,
    next_attempt_at: nullable(DateTime),
  },
  { title: 'AttemptBody' },
);
export type AttemptBody = Static<typeof AttemptBody>;

export const AttemptListBody = Type.Object({ data: Type.Array(AttemptBody), next_cursor: NextCursor }, { title: 'AttemptListBody' });
export type AttemptListBody = Static<typeof AttemptListBody>;

/** POST …/recover: sends again what failed since then; 202. */
export const RecoverBody = Type.Object({ since: DateTime }, { title: 'RecoverBody' });
export type RecoverBody = Static<typeof RecoverBody>;
