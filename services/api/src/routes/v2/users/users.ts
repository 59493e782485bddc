import {
  createUser,
  type NewUser,
  readUserMetrics,
  getUser,
  getUserByClientUserId,
  searchUsers,
  updateUser,
  type UserChanges,
} from '@pulsewire/connections';
import {
  CodedErrorBody,
  UserBody,
  UserConflictBody,
  renderDateTime,
  UserMetricsBody,
  UserParams,
  ClientUserParams,
  UserSearchBody,
  UserSearchQuery,
  DetailBody,
} from '@pulsewire/contract';
import { AppError, isAppError } from '@pulsewire/kernel';
import { countOrders } from '@pulsewire/labs';
import { Type } from 'typebox';
import { listUsersRoute } from './list-users.ts';
import { renderUsers } from '../../../render/user.ts';
import { defineRoute, ok, type Route } from '../../../route/route.ts';
import { CreateUserBody, UpdateUserBody } from '../../../schemas/users.ts';
import { referenceWarning, userFaults, reversedBounds } from '../../../validate/user-faults.ts';
import { validationError } from '../../../validate/validate-request.ts';

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

const createUserRoute = defineRoute({
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

const getUserMetricsRoute = defineRoute({
  method: 'GET',
  path: '/v2/user/metrics',
  operationId: 'getUserMetrics',
  area: 'users',
  auth: 'key',
  summary: 'Read metrics of users and connections',
  responses: { 200: { description: 'Metrics of the team.', schema: UserMetricsBody } },
  async handler(context) {
    const { teamId } = context.team;
    const metrics = await readUserMetrics(context.database, context.clock, teamId);
    return ok({
      team_id: teamId,
      number_of_connected_sources: metrics.connections,
      number_of_users: metrics.users,
      number_of_errored_connected_sources: metrics.erroredConnections,
      number_of_connected_sources_by_week: metrics.byWeek.map(({ week, created, all }) => ({
        date: renderDateTime(Date.parse(week)),
        value: created,
        all,
      })),
      number_of_ordered_tests: await countOrders(context.database, teamId),
    });
  },
});

const getUserRoute = defineRoute({
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

const resolveUserRoute = defineRoute({
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

const searchUsersRoute = defineRoute({
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

// The bounds of a user are checked together, also when only one of them is sent.
function asInvalidBounds(error: unknown): unknown {
  if (!isAppError(error) || error.code !== 'ingestion_bounds_reversed') return error;
  return validationError(reversedBounds(String(error.details['ingestionStart']), String(error.details['ingestionEnd'])));
}

const updateUserRoute = defineRoute({
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

/** A team's users. */
export const userRoutes: readonly Route[] = [
  createUserRoute,
  listUsersRoute,
  getUserMetricsRoute,
  getUserRoute,
  resolveUserRoute,
  searchUsersRoute,
  updateUserRoute,
];
