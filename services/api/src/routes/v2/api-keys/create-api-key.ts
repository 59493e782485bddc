import { createApiKey } from '@pulsewire/connections';
import { defineRoute, ok } from '../../../route/route.ts';
import { CreateApiKeyBody, CreatedApiKeyBody } from '../../../schemas/api-keys.ts';
import { optionalInstant } from '../../../validate/optional-instant.ts';
import { assertGrantable } from './assert-grantable.ts';
import { grantedRate } from './granted-rate.ts';
import { renderApiKey } from './render-api-key.ts';

export const createApiKeyRoute = defineRoute({
  method: 'POST',
  path: '/v2/team/api_key',
  operationId: 'createApiKey',
  area: 'team',
  auth: 'key',
  scope: 'manage',
  reveals: true,
  summary: 'Create an API key',
  description:
    'Optionally with scopes, an expiry and allowed addresses, but never with more scopes or a higher rate limit than the calling key.',
  body: CreateApiKeyBody,
  responses: { 200: { description: 'The key, shown once.', schema: CreatedApiKeyBody } },
  failures: [409],
  async handler(context, { body }) {
    const { database, clock, team } = context;
    const scopes = body.scopes ?? null;
    assertGrantable(context, scopes);
    const rateLimit = grantedRate(context, body.rate_limit, null);
    const { key, apiKey } = await createApiKey(database, clock, {
      team,
      label: body.label,
      scopes,
      expiresAt: optionalInstant(body.expires_at ?? undefined) ?? null,
      allowedAddresses: body.allowed_addresses ?? null,
      rateLimit,
    });
    return ok({ ...renderApiKey(apiKey), key });
  },
});
