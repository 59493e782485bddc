import { Type, type Static } from 'typebox';
import { apiKeyScopes } from '@pulsewire/connections';
import { closedEnum, DateTime, openEnum, optional, Uuid } from '@pulsewire/contract';

const scopesAbout =
  'read: users, data, catalogue. write: users, linking, orders. webhooks: endpoints and messages. secrets: signing secrets and headers. bulk: bulk operations. manage: API keys and the audit log. Null: everything.';
const rateAbout =
  "Requests per second, with a burst of two seconds; null: the installation's default. Keys lower it through the API; an operator may raise it.";
const addressesAbout = 'Networks (CIDR) or addresses that the key may be used from; null: any.';

const label = Type.String({ minLength: 1, maxLength: 200, description: 'Human-readable label.' });
const limits = {
  scopes: optional(Type.Array(closedEnum(apiKeyScopes), { minItems: 1, maxItems: apiKeyScopes.length }), { description: scopesAbout }),
  expires_at: optional(DateTime, { description: 'Expiry; null: none.' }),
  allowed_addresses: optional(Type.Array(Type.String({ format: 'ip-network' }), { minItems: 1, maxItems: 100 }), {
    description: addressesAbout,
  }),
  rate_limit: optional(Type.Integer({ minimum: 1, maximum: 100_000 }), { description: rateAbout }),
};

export const CreateApiKeyBody = Type.Object({ label, ...limits }, { title: 'CreateApiKeyBody', additionalProperties: false });
export const UpdateApiKeyBody = Type.Object(
  { label: Type.Optional(label), ...limits },
  { title: 'UpdateApiKeyBody', additionalProperties: false },
);
export const RotateApiKeyBody = Type.Object(
  {
    overlap: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 604_800, default: 0, description: 'Seconds for which the old key keeps working.' }),
    ),
  },
  { title: 'RotateApiKeyBody', additionalProperties: false },
);

export const ApiKeyParams = Type.Object({ key_id: Uuid }, { title: 'ApiKeyParams' });

/** A key in a list. */
export const ApiKeyBody = Type.Object(
  {
    id: Uuid,
    label: Type.String(),
    scopes: optional(Type.Array(openEnum(apiKeyScopes)), { description: scopesAbout }),
    allowed_addresses: optional(Type.Array(Type.String()), { description: addressesAbout }),
    created_at: DateTime,
    expires_at: optional(DateTime),
    revoked_at: optional(DateTime),
    rate_limit: optional(Type.Integer(), { description: rateAbout }),
    last_used_at: optional(DateTime, { description: 'Rounded to the minute; recorded after a few seconds.' }),
  },
  { title: 'ApiKeyBody' },
);
export type ApiKeyBody = Static<typeof ApiKeyBody>;

/** The key of a request, with its team. */
export const CallingKeyBody = Type.Object(
  { ...ApiKeyBody.properties, team_id: Uuid, team_name: Type.String(), is_sandbox: Type.Boolean() },
  { title: 'CallingKeyBody' },
);

/** A new key; the only response that contains the key itself. */
export const CreatedApiKeyBody = Type.Object(
  { ...ApiKeyBody.properties, key: Type.String({ description: 'Shown once; only its hash is stored.' }) },
  { title: 'CreatedApiKeyBody' },
);

export const ApiKeyListBody = Type.Object({ data: Type.Array(ApiKeyBody) }, { title: 'ApiKeyListBody' });
