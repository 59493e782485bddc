import { getApiKey, updateApiKey } from '@pulsewire/connections';
import { defineRoute, ok } from '../../../route/route.ts';
import { ApiKeyBody, ApiKeyParams, UpdateApiKeyBody } from '../../../schemas/api-keys.ts';
import { dateTimeMs } from '../../../validate/formats.ts';
import { assertChangeable, assertGrantable, assertWithinLimits } from './assert-grantable.ts';
import { futureEnd } from './future-end.ts';
import { grantedRate } from './granted-rate.ts';
import { renderApiKey } from './render-api-key.ts';

export const updateApiKeyRoute = defineRoute({
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
