import { getApiKey, revokeApiKey } from '@pulsewire/connections';
import { defineRoute, noContent } from '../../../route/route.ts';
import { ApiKeyParams } from '../../../schemas/api-keys.ts';
import { assertChangeable } from './assert-grantable.ts';

export const revokeApiKeyRoute = defineRoute({
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
