import { UserBody, UserParams } from '@pulsewire/contract';
import { getUser } from '@pulsewire/connections';
import { defineRoute, ok } from '../../../route/route.ts';
import { renderUsers } from '../../../render/user.ts';

export const getUserRoute = defineRoute({
  method: 'GET',
  path: '/v2/user/{user_id}',
  operationId: 'getUser',
  area: 'users',
  auth: 'key',
  summary: 'Read a user',
  params: UserParams,
  responses: { 200: { description: 'The user.', schema: UserBody } },
  failures: [404],
  async handler(context, { params }) {
    const { teamId } = context.team;
    const user = await getUser(context.database, teamId, params.user_id);
    const [rendered] = await renderUsers(context, teamId, [user]);
    return ok(rendered);
  },
});
