import { AppError, isAppError } from '@pulsewire/kernel';
import { DetailBody, UserParams } from '@pulsewire/contract';
import { updateUser, type UserChanges } from '@pulsewire/connections';
import { defineRoute, ok } from '../../../route/route.ts';
import { UpdateUserBody } from '../../../schemas/users.ts';
import { referenceWarning, reversedBounds, userFaults } from '../../../validate/user-faults.ts';
import { validationError } from '../../../validate/validate-request.ts';

// The bounds of a user are checked together, also when only one of them is sent.
function asInvalidBounds(error: unknown): unknown {
  if (!isAppError(error) || error.code !== 'ingestion_bounds_reversed') return error;
  return validationError(reversedBounds(String(error.details['ingestionStart']), String(error.details['ingestionEnd'])));
}

export const updateUserRoute = defineRoute({
  method: 'PATCH',
  path: '/v2/user/{user_id}',
  operationId: 'updateUser',
  area: 'users',
  auth: 'key',
  summary: 'Update a user',
  description: 'Omitted fields are unchanged and null clears a field, except `client_user_id`, which null leaves unchanged.',
  params: UserParams,
  body: UpdateUserBody,
  responses: { 200: { description: 'Changed.', schema: DetailBody } },
  failures: [400, 404, 409],
  refine: ({ body }, { team }) => userFaults(team, body),
  async handler(context, { params, body }) {
    if (Object.keys(body).length === 0)
      throw new AppError({ code: 'no_fields_to_update', kind: 'invalid', message: 'The body contains no user fields' });
    const changes: UserChanges = {
      ...(typeof body.client_user_id === 'string' && { clientUserId: body.client_user_id }),
      ...(body.fallback_time_zone !== undefined && { fallbackTimeZone: body.fallback_time_zone }),
      ...(body.fallback_birth_date !== undefined && { fallbackBirthDate: body.fallback_birth_date }),
      ...(body.ingestion_start !== undefined && { ingestionStart: body.ingestion_start }),
      ...(body.ingestion_end !== undefined && { ingestionEnd: body.ingestion_end }),
    };
    await updateUser(context.database, context.clock, context.team.teamId, params.user_id, changes).catch((error: unknown) => {
      throw asInvalidBounds(error);
    });
    return { ...ok({ detail: 'The user was updated' }), headers: referenceWarning(body) };
  },
});
