import { SuccessBody, UserProviderParams } from '@pulsewire/contract';
import { deregisterConnection } from '@pulsewire/connections';
import { defineRoute, ok } from '../../../../route/route.ts';
import { settleSoon } from '../settle-soon.ts';

export const deregisterProviderRoute = defineRoute({
  method: 'DELETE',
  path: '/v2/user/{user_id}/{provider}',
  operationId: 'deregisterProvider',
  area: 'users',
  auth: 'key',
  summary: 'Disconnect a provider from a user',
  description: 'Deletes the tokens, stops pulls and pushes, and revokes the consent at the provider. Stored data remain.',
  params: UserProviderParams,
  responses: { 200: { description: 'Deregistered.', schema: SuccessBody } },
  failures: [404],
  async handler(context, { params }) {
    const reference = { teamId: context.team.teamId, userId: params.user_id, provider: params.provider };
    await deregisterConnection(context.database, context.links, reference);
    settleSoon(context);
    return ok({ success: true });
  },
});
