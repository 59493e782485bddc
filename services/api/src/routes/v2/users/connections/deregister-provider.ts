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
  summary: 'Take one provider away from a user',
  description: 'Tokens are deleted, pulls and pushes stop, the consent is taken back at the provider. Stored data stay.',
  params: UserProviderParams,
  answers: { 200: { description: 'Deregistered.', schema: SuccessBody } },
  failures: [404],
  async handler(context, { params }) {
    const reference = { teamId: context.team.teamId, userId: params.user_id, provider: params.provider };
    await deregisterConnection(context.database, context.links, reference);
    settleSoon(context);
    return ok({ success: true });
  },
});
