import { Type } from 'typebox';
import { CodedErrorBody, DetailBody, SuccessBody, UndoDeleteQuery } from '@pulsewire/contract';
import { undoDeletion } from '@pulsewire/connections';
import { defineRoute, ok } from '../../../route/route.ts';
import { fieldError } from '../../../validate/validate-request.ts';

export const undoDeleteUserRoute = defineRoute({
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
