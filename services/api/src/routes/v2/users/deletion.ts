import { deleteUser, type DeletionOptions, undoDeletion } from '@pulsewire/connections';
import { SuccessBody, UserParams, CodedErrorBody, DetailBody, UndoDeleteQuery } from '@pulsewire/contract';
import { cancelBookings } from '@pulsewire/labs';
import { Type } from 'typebox';
import { defineRoute, ok, type Route } from '../../../route/route.ts';
import { settleSoon } from './settle-soon.ts';
import { fieldError } from '../../../validate/validate-request.ts';

const deleteUserRoute = defineRoute({
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

const undoDeleteUserRoute = defineRoute({
  method: 'POST',
  path: '/v2/user/undo_delete',
  operationId: 'undoDeleteUser',
  area: 'users',
  auth: 'key',
  summary: 'Undo the deletion of a user',
  description: 'Takes exactly one of the two parameters. Connections are not restored.',
  query: UndoDeleteQuery,
  responses: {
    200: { description: 'The user is live again.', schema: SuccessBody },
    400: {
      description: 'It is too late, the reference is taken, or the sandbox is full.',
      schema: Type.Union([DetailBody, CodedErrorBody]),
    },
  },
  failures: [404],
  refine: ({ query }) =>
    (query.user_id === undefined) === (query.client_user_id === undefined)
      ? [fieldError(['query'], 'Exactly one of user_id and client_user_id must be given', { ...query })]
      : [],
  async handler(context, { query }) {
    const reference = query.user_id === undefined ? { clientUserId: query.client_user_id as string } : { userId: query.user_id };
    const { database, team, clock, settings } = context;
    const userId = await undoDeletion(database, team, reference, { clock, sandboxUsersMax: settings.sandboxUsersMax });
    return ok({ success: true }, { userId });
  },
});

/** Deletion of a user, and its undoing within the grace period. */
export const deletionRoutes: readonly Route[] = [deleteUserRoute, undoDeleteUserRoute];
