import { getApiKey, rotateApiKey } from '@pulsewire/connections';
import { defineRoute, ok } from '../../../route/route.ts';
import { ApiKeyParams, CreatedApiKeyBody, RotateApiKeyBody } from '../../../schemas/api-keys.ts';
import { assertChangeable } from './assert-grantable.ts';
import { renderApiKey } from './render-api-key.ts';

export const rotateApiKeyRoute = defineRoute({
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
