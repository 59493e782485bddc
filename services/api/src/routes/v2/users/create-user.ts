import { AppError, isAppError } from '@pulsewire/kernel';
import { Type } from 'typebox';
import { CodedErrorBody, UserBody, UserConflictBody } from '@pulsewire/contract';
import { createUser, type NewUser } from '@pulsewire/connections';
import { defineRoute, ok } from '../../../route/route.ts';
import { renderUsers } from '../../../render/user.ts';
import { CreateUserBody } from '../../../schemas/users.ts';
import { referenceWarning, userFaults } from '../../../validate/user-faults.ts';

// A creation returns the user that has the reference, with 400; elsewhere the same conflict is 409.
function asCreationConflict(error: unknown): unknown {
  if (!isAppError(error) || error.code !== 'client_user_id_taken' || !('userId' in error.details)) return error;
  return new AppError({
    code: 'client_user_id_taken_at_creation',
    kind: 'invalid',
    message: error.message,
    details: error.details,
    cause: error,
  });
}

export const createUserRoute = defineRoute({
  method: 'POST',
  path: '/v2/user',
  operationId: 'createUser',
  area: 'users',
  auth: 'key',
  summary: 'Create a user',
  description:
    'A reference that looks like an e-mail address or a telephone number is accepted with the header `x-pulsewire-warning: client_user_id_personal`; the team can have them refused.',
  body: CreateUserBody,
  responses: {
    200: { description: 'The user.', schema: UserBody },
    400: {
      description: 'The reference is taken (the response names its user), or the sandbox is full.',
      schema: Type.Union([UserConflictBody, CodedErrorBody]),
    },
  },
  refine: ({ body }, { team }) => userFaults(team, body),
  async handler(context, { body }) {
    const { team, clock, settings } = context;
    const wanted: NewUser = {
      clientUserId: body.client_user_id,
      fallbackTimeZone: body.fallback_time_zone ?? null,
      fallbackBirthDate: body.fallback_birth_date ?? null,
      ingestionStart: body.ingestion_start ?? null,
      ingestionEnd: body.ingestion_end ?? null,
    };
    const user = await createUser(context.database, team, wanted, { clock, sandboxUsersMax: settings.sandboxUsersMax }).catch(
      (error: unknown) => {
        throw asCreationConflict(error);
      },
    );
    const [rendered] = await renderUsers(context, team.teamId, [user]);
    return { ...ok(rendered, { userId: user.userId }), headers: referenceWarning(body) };
  },
});
