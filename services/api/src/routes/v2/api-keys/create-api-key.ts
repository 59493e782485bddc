import { createApiKey } from '@pulsewire/connections';
import { defineRoute, ok } from '../../../route/route.ts';
import { CreateApiKeyBody, CreatedApiKeyBody } from '../../../schemas/api-keys.ts';
import { dateTimeMs } from '../../../validate/formats.ts';
import { assertGrantable, assertWithinLimits } from './assert-grantable.ts';
import { futureEnd } from './future-end.ts';
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
