import { renderDateTime, type UserBody } from '@pulsewire/contract';
import { listConnections, type Connection, type User } from '@pulsewire/connections';
import { readNewestData } from '@pulsewire/store';
import type { ApiContext } from '../context/context.ts';
import { refOf } from './provider.ts';

/** Why a connection stopped; null while it works. */
export function renderConnectionError({ error }: Connection) {
  return error && { error_type: error.errorType, error_message: error.message, errored_at: renderDateTime(error.erroredAt.getTime()) };
}

/** The connections of users, and the time of the newest data from each. */
export interface Connected {
  readonly connections: readonly Connection[];
  newest(connection: Connection): Date | null;
}

/** Live connections of these users of a team. */
export async function readConnected({ database }: ApiContext, teamId: string, userIds: readonly string[]): Promise<Connected> {
  const connections = await listConnections(database, teamId, userIds);
  const found = await readNewestData(database, teamId, connections);
  const newest = new Map(found.map(({ userId, provider, at }) => [`${userId} ${provider}`, at]));
  return { connections, newest: ({ userId, provider }) => newest.get(`${userId} ${provider}`) ?? null };
}

function renderUser(context: ApiContext, user: User, { connections, newest }: Connected): UserBody {
  const { fallbackTimeZone: zone, fallbackBirthDate: birthDate } = user;
  return {
    user_id: user.userId,
    team_id: user.teamId,
    client_user_id: user.clientUserId,
    created_on: renderDateTime(user.createdAt.getTime()),
    connected_sources: connections.map((connection) => {
      const provider = refOf(context, connection.provider);
      const newestAt = newest(connection);
      return {
        provider,
        source: provider,
        created_on: renderDateTime(connection.createdAt.getTime()),
        status: connection.status,
        last_data_at: newestAt && renderDateTime(newestAt.getTime()),
        error_details: renderConnectionError(connection),
      };
    }),
    fallback_time_zone: zone && { id: zone.value, source_slug: zone.source, updated_at: renderDateTime(zone.updatedAt.getTime()) },
    fallback_birth_date: birthDate && {
      value: birthDate.value,
      source_slug: birthDate.source,
      updated_at: renderDateTime(birthDate.updatedAt.getTime()),
    },
    ingestion_start: user.ingestionStart,
    ingestion_end: user.ingestionEnd,
  };
}

/** Users as the API returns them, each with its live connections, in two queries, or with those that are already read. */
export async function renderUsers(context: ApiContext, teamId: string, users: readonly User[], connected?: Connected): Promise<UserBody[]> {
  const read =
    connected ??
    (await readConnected(
      context,
      teamId,
      users.map((user) => user.userId),
    ));
  const byUser = Map.groupBy(read.connections, (connection) => connection.userId);
  return users.map((user) => renderUser(context, user, { connections: byUser.get(user.userId) ?? [], newest: read.newest }));
}
