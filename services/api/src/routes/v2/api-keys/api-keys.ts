import { type ApiKey, listApiKeys, createApiKey, getApiKey, updateApiKey, rotateApiKey, revokeApiKey } from '@pulsewire/connections';
import { renderDateTime } from '@pulsewire/contract';
import { defineRoute, ok, noContent, type Route } from '../../../route/route.ts';
import { assertGrantable, assertWithinLimits, futureEnd, grantedRate, assertChangeable } from './key-bounds.ts';
import {
  ApiKeyListBody,
  CreateApiKeyBody,
  CreatedApiKeyBody,
  ApiKeyBody,
  CallingKeyBody,
  ApiKeyParams,
  UpdateApiKeyBody,
  RotateApiKeyBody,
} from '../../../schemas/api-keys.ts';
import { dateTimeMs } from '../../../validate/formats.ts';

const instant = (date: Date | null) => (date === null ? null : renderDateTime(date.getTime()));

function renderApiKey(key: ApiKey): ApiKeyBody {
  return {
    id: key.keyId,
    label: key.label,
    scopes: key.scopes,
    allowed_addresses: key.allowedAddresses,
    created_at: renderDateTime(key.createdAt.getTime()),
    expires_at: instant(key.expiresAt),
    revoked_at: instant(key.revokedAt),
    rate_limit: key.rateLimit,
    last_used_at: instant(key.lastUsedAt),
  };
}

const listApiKeysRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/api_key',
  operationId: 'listApiKeys',
  area: 'team',
  auth: 'key',
  scope: 'manage',
  summary: 'List the API keys of the team, oldest first',
  description: 'Includes revoked keys. The key itself is shown only when it is created.',
  responses: { 200: { description: 'The keys.', schema: ApiKeyListBody } },
  handler: async ({ database, team }) => ok({ data: (await listApiKeys(database, team.teamId)).map(renderApiKey) }),
});

const getCallingKeyRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/api_key/current',
  operationId: 'getCallingKey',
  area: 'team',
  auth: 'key',
  scope: null,
  summary: 'Read the API key of this request, and its team',
  description: 'Any key may do this, whatever its scopes.',
  responses: { 200: { description: 'The key.', schema: CallingKeyBody } },
  async handler({ database, team, key }) {
    const rendered = renderApiKey(await getApiKey(database, team.teamId, key.keyId));
    return ok({ ...rendered, team_id: team.teamId, team_name: team.name, is_sandbox: team.isSandbox });
  },
});

const createApiKeyRoute = defineRoute({
  method: 'POST',
  path: '/v2/team/api_key',
  operationId: 'createApiKey',
  area: 'team',
  auth: 'key',
  scope: 'manage',
  reveals: true,
  summary: 'Create an API key',
  description:
    'Optionally with scopes, an expiry and allowed addresses, but never with more scopes, a later expiry, other addresses or a higher rate limit than the calling key; absent ones are those of the calling key.',
  body: CreateApiKeyBody,
  responses: { 200: { description: 'The key, shown once.', schema: CreatedApiKeyBody } },
  failures: [409],
  refine: ({ body }, { clock }) => futureEnd(body.expires_at, clock.now()),
  async handler(context, { body }) {
    const { database, clock, team } = context;
    const scopes = body.scopes ?? null;
    assertGrantable(context, scopes);
    // Absent: as those of the calling key.
    const end = body.expires_at ?? undefined;
    const expiresAt = end === undefined ? context.key.expiresAt : new Date(dateTimeMs(end));
    const allowedAddresses = body.allowed_addresses ?? context.key.allowedAddresses;
    assertWithinLimits(context, { expiresAt, allowedAddresses });
    const rateLimit = grantedRate(context, body.rate_limit, null);
    const { key, apiKey } = await createApiKey(database, clock, {
      team,
      label: body.label,
      scopes,
      expiresAt,
      allowedAddresses,
      rateLimit,
    });
    return ok({ ...renderApiKey(apiKey), key });
  },
});

const updateApiKeyRoute = defineRoute({
  method: 'PATCH',
  path: '/v2/team/api_key/{key_id}',
  operationId: 'updateApiKey',
  area: 'team',
  auth: 'key',
  scope: 'manage',
  summary: 'Update an API key',
  description:
    'Omitted fields are unchanged; null removes a limit, but cannot raise the rate limit. The calling key must have every scope of the updated key, before and after, and neither changes nor sets a later expiry or other addresses than its own.',
  params: ApiKeyParams,
  body: UpdateApiKeyBody,
  responses: { 200: { description: 'The updated key.', schema: ApiKeyBody } },
  failures: [404],
  refine: ({ body }, { clock }) => futureEnd(body.expires_at, clock.now()),
  async handler(context, { params, body }) {
    const { database, clock, team } = context;
    // Removing a restriction of a stronger key, or extending its expiry, would give access to scopes that this key lacks.
    const key = await getApiKey(database, team.teamId, params.key_id);
    assertChangeable(context, key);
    if (body.scopes !== undefined) assertGrantable(context, body.scopes);
    const rateLimit = body.rate_limit === undefined ? undefined : grantedRate(context, body.rate_limit, key.rateLimit);
    const { label, scopes, expires_at: end, allowed_addresses: allowedAddresses } = body;
    const expiresAt = end === undefined || end === null ? end : new Date(dateTimeMs(end));
    assertWithinLimits(context, { expiresAt, allowedAddresses });
    const changed = await updateApiKey(database, clock, team.teamId, params.key_id, {
      ...(label !== undefined && { label }),
      ...(scopes !== undefined && { scopes }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(allowedAddresses !== undefined && { allowedAddresses }),
      ...(rateLimit !== undefined && { rateLimit }),
    });
    return ok(renderApiKey(changed));
  },
});

const rotateApiKeyRoute = defineRoute({
  method: 'POST',
  path: '/v2/team/api_key/{key_id}/rotate',
  operationId: 'rotateApiKey',
  area: 'team',
  auth: 'key',
  scope: 'manage',
  reveals: true,
  summary: 'Rotate an API key',
  description:
    'The new key has the same label, scopes, addresses and expiry. The old one stops working immediately, or after `overlap` seconds.',
  params: ApiKeyParams,
  body: RotateApiKeyBody,
  responses: { 200: { description: 'The new key, shown once.', schema: CreatedApiKeyBody } },
  failures: [404, 409],
  async handler(context, { params, body }) {
    const { database, clock, team } = context;
    const old = await getApiKey(database, team.teamId, params.key_id);
    assertChangeable(context, old);
    const { key, apiKey } = await database.transaction((tx) => rotateApiKey(tx, clock, team, params.key_id, body.overlap));
    return ok({ ...renderApiKey(apiKey), key });
  },
});

const revokeApiKeyRoute = defineRoute({
  method: 'DELETE',
  path: '/v2/team/api_key/{key_id}',
  operationId: 'revokeApiKey',
  area: 'team',
  auth: 'key',
  scope: 'manage',
  summary: 'Revoke an API key immediately',
  description: 'The calling key may revoke itself, and keys with at most its scopes, its addresses and its expiry.',
  params: ApiKeyParams,
  responses: { 204: { description: 'Revoked.' } },
  failures: [404],
  async handler(context, { params }) {
    const { database, clock, team, key } = context;
    if (key.keyId !== params.key_id) assertChangeable(context, await getApiKey(database, team.teamId, params.key_id));
    await revokeApiKey(database, clock, team.teamId, params.key_id);
    return noContent;
  },
});

/** A team's API keys. */
export const apiKeyRoutes: readonly Route[] = [
  listApiKeysRoute,
  getCallingKeyRoute,
  createApiKeyRoute,
  updateApiKeyRoute,
  rotateApiKeyRoute,
  revokeApiKeyRoute,
];
