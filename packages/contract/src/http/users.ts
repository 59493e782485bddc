import { Type, type Static } from 'typebox';
import { closedEnum, DateOnly, DateTime, nullable, openEnum, optional, optionalInput, optionalInteger, Uuid } from '../fields/fields.ts';
import { ProviderRef } from '../fields/source-context.ts';

const clientUserId = Type.String({ minLength: 1, description: "The team's reference for the user; no personal data." });

const fallbackFields = {
  fallback_time_zone: optionalInput(Type.String({ description: 'IANA zone id, for sources whose data have no time zone.' })),
  fallback_birth_date: optionalInput(DateOnly),
  ingestion_start: optionalInput(DateOnly),
  ingestion_end: optionalInput(DateOnly),
};

/** POST /v2/user. */
export const CreateUserBody = Type.Object({ client_user_id: clientUserId, ...fallbackFields }, { title: 'CreateUserBody' });
export type CreateUserBody = Static<typeof CreateUserBody>;

/** PATCH /v2/user/{user_id}: absent keys stay, null clears; null leaves client_user_id as it is. */
export const UpdateUserBody = Type.Object({ client_user_id: optionalInput(clientUserId), ...fallbackFields }, { title: 'UpdateUserBody' });
export type UpdateUserBody = Static<typeof UpdateUserBody>;

const connectionStatuses = ['connected', 'error', 'paused'] as const;

/** One live connection of a user. */
export const ConnectedSource = Type.Object(
  {
    provider: ProviderRef,
    source: Type.Object(ProviderRef.properties, { deprecated: true, description: 'Same as provider.' }),
    created_on: DateTime,
    status: Type.Optional(openEnum(connectionStatuses, 'error: only the user can repair it, by connecting again.')),
    last_data_at: optional(DateTime, { description: 'Time of the newest stored sample or summary.' }),
    error_details: optional(
      Type.Object({ error_type: Type.String(), error_message: Type.String(), errored_at: DateTime }, { title: 'ConnectedSourceError' }),
    ),
  },
  { title: 'ConnectedSource' },
);

const FallbackTimeZone = Type.Object({
  id: Type.String({ description: 'IANA zone id.' }),
  source_slug: Type.String({ description: 'manual if set through the API; otherwise the provider that reported it.' }),
  updated_at: DateTime,
});

const FallbackBirthDate = Type.Object({
  value: DateOnly,
  source_slug: Type.String({ description: 'manual if set through the API.' }),
  updated_at: DateTime,
});

/** A user in responses. */
export const UserBody = Type.Object(
  {
    user_id: Uuid,
    team_id: Uuid,
    client_user_id: Type.String(),
    created_on: DateTime,
    connected_sources: Type.Array(ConnectedSource),
    fallback_time_zone: nullable(FallbackTimeZone),
    fallback_birth_date: optional(FallbackBirthDate),
    ingestion_start: optional(DateOnly),
    ingestion_end: optional(DateOnly),
  },
  { title: 'UserBody' },
);
export type UserBody = Static<typeof UserBody>;

/** 400 of POST /v2/user: the user that already has the reference. */
export const UserConflictBody = Type.Object(
  {
    detail: Type.Object({
      error_type: Type.String({ description: 'INVALID_REQUEST.' }),
      error_message: Type.String(),
      user_id: Type.String({ format: 'uuid', description: 'The user that holds the reference.' }),
      created_on: DateTime,
    }),
  },
  { title: 'UserConflictBody' },
);
export type UserConflictBody = Static<typeof UserConflictBody>;

/** GET /v2/user, by offset or by cursor. */
export const UserListQuery = Type.Object(
  {
    provider: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Only users with a connection to this provider.' })),
    status: Type.Optional(
      closedEnum([...connectionStatuses, 'none'], {
        description:
          'Only users with a connection in this state; `none`: only users without a connection, to the provider if one is given.',
      }),
    ),
    no_data_since: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'Only users with a connection that existed then and from which nothing newer is stored. Pages may be short or empty before the last.',
      }),
    ),
    query: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Start of the id or the reference.' })),
    next_cursor: Type.Optional(Type.String({ description: 'From the previous page, with the same filters.' })),
    offset: Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0 }),
    limit: Type.Integer({ minimum: 0, maximum: 500, default: 100 }),
  },
  { title: 'UserListQuery' },
);
export type UserListQuery = Static<typeof UserListQuery>;

/** Response of GET /v2/user, newest first. */
export const PaginatedUsersBody = Type.Object(
  {
    users: Type.Array(UserBody),
    total: Type.Integer({ description: 'Live users that match; `no_data_since` is not counted.' }),
    offset: Type.Integer(),
    limit: Type.Integer(),
    next_cursor: optional(Type.String({ description: 'Null on the last page.' })),
  },
  { title: 'PaginatedUsersBody' },
);
export type PaginatedUsersBody = Static<typeof PaginatedUsersBody>;

/** GET /v2/team/users/search. */
export const UserSearchQuery = Type.Object({ query_id: Type.String({ minLength: 2 }) }, { title: 'UserSearchQuery' });
export type UserSearchQuery = Static<typeof UserSearchQuery>;

/** Response of GET /v2/team/users/search; at most 100. */
export const UserSearchBody = Type.Array(UserBody, { title: 'UserSearchBody' });
export type UserSearchBody = Static<typeof UserSearchBody>;

const MetricPoint = Type.Object({ date: DateTime, value: Type.Number(), all: Type.Number() });

/** Response of GET /v2/user/metrics. */
export const UserMetricsBody = Type.Object(
  {
    team_id: Uuid,
    number_of_connected_sources: optionalInteger('Live connections.'),
    number_of_users: optionalInteger('Live users.'),
    number_of_errored_connected_sources: optionalInteger('Connections that stopped on an error.'),
    number_of_connected_sources_by_week: Type.Optional(Type.Array(MetricPoint)),
    number_of_ordered_tests: optionalInteger('Lab orders.'),
  },
  { title: 'UserMetricsBody' },
);
export type UserMetricsBody = Static<typeof UserMetricsBody>;

/** POST /v2/user/undo_delete: exactly one of the two. */
export const UndoDeleteQuery = Type.Object(
  { user_id: Type.Optional(Uuid), client_user_id: Type.Optional(Type.String({ minLength: 1 })) },
  { title: 'UndoDeleteQuery' },
);
export type UndoDeleteQuery = Static<typeof UndoDeleteQuery>;

/** POST /v2/user/refresh/{user_id}. */
export const RefreshQuery = Type.Object(
  { timeout: Type.Number({ minimum: 5, maximum: 60, default: 10, description: 'Seconds to wait for the pulls.' }) },
  { title: 'RefreshQuery' },
);
export type RefreshQuery = Static<typeof RefreshQuery>;

const sources = (description: string) => Type.Array(Type.String(), { description: `${description} As \`<provider>/<resource>\`.` });

/** Response of a refresh, whether it has ended (200) or continues (202). */
export const RefreshBody = Type.Object(
  {
    success: Type.Literal(true),
    user_id: Uuid,
    refreshed_sources: sources('Read to the end.'),
    in_progress_sources: sources('Still being read.'),
    failed_sources: sources('Not read: the provider failed, or the user must connect again.'),
  },
  { title: 'RefreshBody' },
);
export type RefreshBody = Static<typeof RefreshBody>;

/** 400 of a refresh: there is nothing to refresh. */
export const RefreshErrorBody = Type.Object(
  { success: Type.Literal(false), user_id: Uuid, error: Type.String(), failed_sources: Type.Array(Type.String()) },
  { title: 'RefreshErrorBody' },
);
export type RefreshErrorBody = Static<typeof RefreshErrorBody>;
