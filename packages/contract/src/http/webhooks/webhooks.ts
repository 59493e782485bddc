import { Type, type Static } from 'typebox';
import { closedEnum, DateTime, nullable, openEnum, optional, optionalInput } from '../../fields/fields.ts';

const RateLimit = Type.Integer({ minimum: 1, maximum: 100_000, description: 'Messages per second.' });
const Url = Type.String({ format: 'uri' });
const FilterTypes = Type.Array(Type.String({ minLength: 1 }), { description: 'Exact event types; null or empty means all.' });

export const orderings = ['none', 'per_user'] as const;
export const signatureKinds = ['v1', 'v1a', 'both'] as const;

// 24 to 64 bytes; the unused bits of the last character must be zero.
const base64OfKey =
  '(?:(?:[A-Za-z0-9+/]{4}){8,20}(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?|(?:[A-Za-z0-9+/]{4}){21}(?:[A-Za-z0-9+/][AQgw]==)?)';
const secretPattern = `^whsec_${base64OfKey}$`;

const orderingAbout =
  'none: unordered. per_user: one attempt in progress per user; a failed one delays only later messages of the same user.';
const skipAbout = 'With per_user: after an outage only the newest version of a summary is sent; skipped versions are logged as superseded.';
const signatureAbout = 'v1: HMAC-SHA256 with the secret. v1a: ed25519. both: one of each.';
const svixAbout = 'Whether the headers are also sent as svix-*.';

// Deliberately a union: request validation chooses the branch by the type of the value, so a list is checked entry by entry.
const ScheduleInput = Type.Optional(
  Type.Union(
    [closedEnum(['contract']), Type.Array(Type.Integer({ minimum: 1, maximum: 604_800 }), { minItems: 1, maxItems: 20 }), Type.Null()],
    {
      description:
        'Seconds to wait before attempt 2, 3, …; `contract`: eight attempts within about 28 hours; null: ten within about 76 hours.',
    },
  ),
);

/** Suggested next step after enabling a disabled endpoint: requesting a replay of what it missed. */
export const WebhookRecovery = Type.Object(
  {
    since: Type.String({ format: 'date-time', description: 'Events may be missing from this time on.' }),
    selection: openEnum(['undelivered'], 'The selection for POST …/replay, with this `since`.'),
    messages: Type.Integer({ description: 'Number of missed messages.' }),
    exact: Type.Boolean({ description: 'False: counting stopped at the limit; there are more.' }),
  },
  { title: 'WebhookRecovery' },
);
export type WebhookRecovery = Static<typeof WebhookRecovery>;

/** An endpoint in responses. */
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
    ordering: Type.Optional(openEnum(orderings, orderingAbout)),
    skip_superseded: Type.Optional(Type.Boolean({ description: skipAbout })),
    schedule: optional(Type.Array(Type.Integer()), { description: 'Seconds to wait before attempt 2, 3, …; null: the default.' }),
    signature: Type.Optional(openEnum(signatureKinds, signatureAbout)),
    svix_headers: Type.Optional(Type.Boolean({ description: svixAbout })),
    disabled_reason: optional(openEnum(['requested', 'failing', 'gone', 'declined'])),
    disabled_at: optional(DateTime),
    failing_since: optional(DateTime, { description: 'Start of the current outage; null while deliveries succeed.' }),
  },
  { title: 'WebhookBody' },
);
export type WebhookBody = Static<typeof WebhookBody>;

/** The response to a change; includes a suggested replay when the endpoint was disabled before. */
export const UpdatedWebhookBody = Type.Object(
  {
    ...WebhookBody.properties,
    recovery: nullable(WebhookRecovery, { description: 'Only if this update enabled the endpoint and it missed messages.' }),
  },
  { title: 'UpdatedWebhookBody' },
);
export type UpdatedWebhookBody = Static<typeof UpdatedWebhookBody>;

const deliveryFields = {
  ordering: optionalInput(closedEnum(orderings, { description: orderingAbout })),
  skip_superseded: optionalInput(Type.Boolean({ description: skipAbout })),
  schedule: ScheduleInput,
  signature: optionalInput(closedEnum(signatureKinds, { description: signatureAbout })),
  svix_headers: optionalInput(Type.Boolean({ description: svixAbout })),
};

/** POST /v2/team/webhook. */
export const CreateWebhookBody = Type.Object(
  {
    description: Type.Optional(Type.String({ default: '' })),
    rate_limit: optionalInput(RateLimit),
    url: Url,
    disabled: Type.Optional(Type.Boolean({ default: false })),
    filter_types: optionalInput(FilterTypes),
    secret: optionalInput(
      Type.String({
        format: 'password',
        pattern: '^whsec_[A-Za-z0-9+/]+={0,2}$',
        // Checked where secrets are created, so that its error is reported together with those of other fields.
        allOf: [{ pattern: secretPattern }],
        description: 'whsec_ and the base64 of 24 to 64 bytes; generated if omitted.',
      }),
    ),
    ...deliveryFields,
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
    ...deliveryFields,
  },
  { title: 'UpdateWebhookBody' },
);
export type UpdateWebhookBody = Static<typeof UpdateWebhookBody>;

/** Query of every list that is paged by a cursor. */
export const cursorFields = {
  next_cursor: Type.Optional(Type.String()),
  limit: Type.Integer({ minimum: 1, maximum: 250, default: 50 }),
};
export const NextCursor = nullable(Type.String(), { description: 'Null on the last page.' });

/** GET /v2/team/webhook. */
export const WebhookListQuery = Type.Object(cursorFields, { title: 'WebhookListQuery', additionalProperties: false });
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
  {
    // Names and values are checked together by the webhooks package.
    headers: Type.Record(Type.String(), Type.String({ allOf: [{ pattern: String.raw`^[\t\x20-\x7e\x80-\xff]{0,4096}$` }] }), {
      propertyNames: { pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$" },
      maxProperties: 50,
    }),
    sensitive: Type.Optional(Type.Array(Type.String())),
  },
  { title: 'UpdateWebhookHeadersBody', additionalProperties: false },
);
export type UpdateWebhookHeadersBody = Static<typeof UpdateWebhookHeadersBody>;

/** GET …/secret. */
export const WebhookSecretBody = Type.Object(
  {
    key: Type.String({ description: 'whsec_ and base64.' }),
    public_key: nullable(Type.String({ description: 'whpk_ and base64: verifies v1a signatures.' })),
  },
  { title: 'WebhookSecretBody' },
);
export type WebhookSecretBody = Static<typeof WebhookSecretBody>;

/** POST …/secret/rotate: null generates new keys; replaced ones still sign for 24 hours, or for `overlap` seconds. */
export const RotateWebhookSecretBody = Type.Object(
  {
    key: optionalInput(
      Type.String({
        format: 'password',
        pattern: '^wh(sec|sk)_[A-Za-z0-9+/]+={0,2}$',
        allOf: [{ pattern: `^(?:whsec_${base64OfKey}|whsk_[A-Za-z0-9+/]{85}[AQgw]==)$` }],
        description: 'whsec_ replaces the secret; whsk_ and the base64 of seed and public key, 64 bytes, the ed25519 key.',
      }),
    ),
    overlap: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 604_800, default: 86_400, description: 'Seconds for which old keys keep signing.' }),
    ),
  },
  { title: 'RotateWebhookSecretBody', additionalProperties: false },
);
export type RotateWebhookSecretBody = Static<typeof RotateWebhookSecretBody>;

/** GET /.well-known/webhook-keys/{webhook_id}: a set of RFC 7517 with keys of RFC 8037. */
export const JwkSetBody = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: Type.Literal('OKP'),
        crv: Type.Literal('Ed25519'),
        alg: Type.Literal('EdDSA'),
        use: Type.Literal('sig'),
        kid: Type.String({ description: 'Thumbprint (RFC 7638).' }),
        x: Type.String({ description: 'The public key, base64url.' }),
        exp: Type.Optional(Type.Integer({ description: 'For a replaced key: signs until this time (Unix seconds).' })),
      }),
    ),
  },
  { title: 'JwkSetBody' },
);
export type JwkSetBody = Static<typeof JwkSetBody>;
