import { listApiKeys } from '@pulsewire/connections';
import { defineRoute, ok } from '../../../route/route.ts';
import { ApiKeyListBody } from '../../../schemas/api-keys.ts';
import { renderApiKey } from './render-api-key.ts';

export const listApiKeysRoute = defineRoute({
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
