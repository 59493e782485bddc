import { renderDateTime, type UserBody } from '@pulsewire/contract';
import { listConnections, type Connection, type User } from '@pulsewire/connections';
import type { ApiContext } from '../context/context.ts';
import { refOf } from './provider.ts';

function renderUser(context: ApiContext, user: User, connections: readonly Connection[]): UserBody {
  const { fallbackTimeZone: zone, fallbackBirthDate: birthDate } = user;
  return {
    user_id: user.userId,
    team_id: user.teamId,
    client_user_id: user.clientUserId,
    created_on: renderDateTime(user.createdAt.getTime()),
    connected_sources: connections.map((connection) => {
      const provider = refOf(context, connection.provider);
      return { provider, source: provider, created_on: renderDateTime(connection.createdAt.getTime()) };
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

/** Users as the API returns them, each with its live connections, in one query. */
export async function renderUsers(context: ApiContext, teamId: string, users: readonly User[]): Promise<UserBody[]> {
  const connections = await listConnections(
    context.database,
    teamId,
    users.map((user) => user.userId),
  );
  const byUser = Map.groupBy(connections, (connection) => connection.userId);
  return users.map((user) => renderUser(context, user, byUser.get(user.userId) ?? []));
}
