import { SuccessBody, UserParams } from '@pulsewire/contract';
import { deleteUser, type DeletionOptions } from '@pulsewire/connections';
import { cancelBookings } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';
import { settleSoon } from './settle-soon.ts';

export const deleteUserRoute = defineRoute({
  method: 'DELETE',
  path: '/v2/user/{user_id}',
  operationId: 'deleteUser',
  area: 'users',
  auth: 'key',
  summary: 'Delete a user',
  description:
    'Deregisters all connections and cancels open lab appointments immediately, and erases the data after seven days; until then the deletion can be undone.',
  params: UserParams,
  responses: { 200: { description: 'Scheduled for erasure.', schema: SuccessBody } },
  failures: [404],
  async handler(context, { params }) {
    const { database, labs, links, team } = context;
    const options: DeletionOptions = { ...links, onDeleting: (tx, emit, user) => cancelBookings(tx, emit, labs, user) };
    await deleteUser(database, options, team.teamId, params.user_id);
    settleSoon(context);
    return ok({ success: true });
  },
});
