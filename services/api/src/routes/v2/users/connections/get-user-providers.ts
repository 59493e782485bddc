import { renderDateTime, UserParams, UserProvidersBody, type UserProvider } from '@pulsewire/contract';
import { getUser, listConnections, type Connection } from '@pulsewire/connections';
import { readHistoryProgress, type HistoryProgress } from '@pulsewire/ingest';
import { findIdentity, resourceAvailability } from '@pulsewire/providers';
import type { ApiContext } from '../../../../context/context.ts';
import { defineRoute, ok } from '../../../../route/route.ts';
import { refOf } from '../../../../render/provider.ts';

function renderProgress(progress: HistoryProgress) {
  return {
    status: progress.status,
    scheduled_at: renderDateTime(progress.scheduledAt.getTime()),
    ended_at: progress.endedAt && renderDateTime(progress.endedAt.getTime()),
    resources_total: progress.resourcesTotal,
    resources_ended: progress.resourcesEnded,
    windows_total: progress.windowsTotal,
    windows_ended: progress.windowsEnded,
    windows_given_up: progress.windowsGivenUp,
  };
}

function renderConnection(context: ApiContext, connection: Connection, progress: HistoryProgress | undefined): UserProvider {
  const { connectorFor } = context.links;
  // Without a connector a demo still has data; a real connection does not.
  const known = connection.isDemo ? findIdentity(connection.provider, connectorFor) : connectorFor(connection.provider);
  const { error } = connection;
  return {
    ...refOf(context, connection.provider),
    created_on: renderDateTime(connection.createdAt.getTime()),
    status: connection.status,
    external_user_id: connection.externalUserId,
    error_details: error && {
      error_type: error.errorType,
      error_message: error.message,
      errored_at: renderDateTime(error.erroredAt.getTime()),
    },
    historical_pull: progress ? renderProgress(progress) : null,
    resource_availability: known ? resourceAvailability(known, connection.grantedScopes, connection.deniedScopes) : {},
  } as UserProvider;
}

export const getUserProvidersRoute = defineRoute({
  method: 'GET',
  path: '/v2/user/providers/{user_id}',
  operationId: 'getUserProviders',
  area: 'users',
  auth: 'key',
  summary: 'List the providers that a user is connected to',
  params: UserParams,
  responses: { 200: { description: 'Every live connection.', schema: UserProvidersBody } },
  failures: [404],
  async handler(context, { params }) {
    const { teamId } = context.team;
    await getUser(context.database, teamId, params.user_id);
    const connections = await listConnections(context.database, teamId, [params.user_id]);
    const connectionIds = connections.map(({ connectionId }) => connectionId);
    const progress = await readHistoryProgress(context.database, { teamId, connectionIds });
    return ok({
      providers: connections.map((connection) => renderConnection(context, connection, progress.get(connection.connectionId))),
    });
  },
});
