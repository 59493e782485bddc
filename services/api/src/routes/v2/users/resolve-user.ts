import { ClientUserParams, UserBody } from '@pulsewire/contract';
import { getUserByClientUserId } from '@pulsewire/connections';
import { defineRoute, ok } from '../../../route/route.ts';
import { renderUsers } from '../../../render/user.ts';

export const resolveUserRoute = defineRoute({
  method: 'GET',
  path: '/v2/user/resolve/{client_user_id}',
  operationId: 'resolveUser',
  area: 'users',
  auth: 'key',
  summary: "Read a user by the team's own reference",
  description: 'The path segment is percent-encoded.',
  params: ClientUserParams,
  responses: { 200: { description: 'The user.', schema: UserBody } },
  failures: [404],
  async handler(context, { params }) {
    const { teamId } = context.team;
    const user = await getUserByClientUserId(context.database, teamId, params.client_user_id);
    const [rendered] = await renderUsers(context, teamId, [user]);
    return ok(rendered, { userId: user.userId });
  },
});
