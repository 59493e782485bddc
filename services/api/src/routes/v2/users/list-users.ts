import { PaginatedUsersBody, UserListQuery } from '@pulsewire/contract';
import { listUsers } from '@pulsewire/connections';
import { defineRoute, ok } from '../../../route/route.ts';
import { renderUsers } from '../../../render/user.ts';

export const listUsersRoute = defineRoute({
  method: 'GET',
  path: '/v2/user',
  operationId: 'listUsers',
  area: 'users',
  auth: 'key',
  summary: 'List users, newest first',
  query: UserListQuery,
  responses: { 200: { description: 'One page.', schema: PaginatedUsersBody } },
  async handler(context, { query }) {
    const { teamId } = context.team;
    const { users, total } = await listUsers(context.database, teamId, query);
    return ok({ users: await renderUsers(context, teamId, users), total, offset: query.offset, limit: query.limit });
  },
});
