import { UserSearchBody, UserSearchQuery } from '@pulsewire/contract';
import { searchUsers } from '@pulsewire/connections';
import { defineRoute, ok } from '../../../route/route.ts';
import { renderUsers } from '../../../render/user.ts';

export const searchUsersRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/users/search',
  operationId: 'searchUsers',
  area: 'users',
  auth: 'key',
  summary: 'Find users whose id or reference starts with a text',
  query: UserSearchQuery,
  responses: { 200: { description: 'Newest first, at most 100.', schema: UserSearchBody } },
  async handler(context, { query }) {
    const { teamId } = context.team;
    const users = await searchUsers(context.database, teamId, query.query_id);
    return ok(await renderUsers(context, teamId, users));
  },
});
