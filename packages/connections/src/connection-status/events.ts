import type { ConnectionRemoved } from '@pulsewire/contract';
import { providerRef, resourceAvailability, type ProviderIdentity } from '@pulsewire/providers';
import type { Connection, ConnectionFailure } from '../model/connection.ts';

/** Why a connection was removed. */
export type RemovalReason = 'deregistered' | 'replaced' | 'user_deleted' | 'lost';

/** `provider.connection.created`. The former field `source` is added on delivery for teams with an old contract date. */
export function connectionCreatedEvent(
  connection: Connection,
  context: {
    readonly clientUserId: string;
    readonly provider: { readonly slug: string; readonly name: string };
    /** Null when no connector delivers data of this provider. */
    readonly connector: Pick<ProviderIdentity, 'oauth' | 'resources'> | null;
    readonly logoBaseUrl: string;
    readonly traceId: string | null;
  },
) {
  const { connector } = context;
  return {
    eventType: 'provider.connection.created',
    teamId: connection.teamId,
    userId: connection.userId,
    clientUserId: context.clientUserId,
    traceId: context.traceId,
    data: {
      user_id: connection.userId,
      provider: providerRef(context.provider, context.logoBaseUrl),
      external_user_id: connection.externalUserId,
      resource_availability: connector ? resourceAvailability(connector, connection.grantedScopes, connection.deniedScopes) : {},
    },
  };
}

/** `provider.connection.error`: here `provider` is the slug, and the details are text. */
export function connectionErrorEvent(
  row: { readonly team_id: string; readonly user_id: string; readonly client_user_id: string; readonly provider: string },
  failure: ConnectionFailure,
) {
  return {
    eventType: 'provider.connection.error',
    teamId: row.team_id,
    userId: row.user_id,
    clientUserId: row.client_user_id,
    traceId: failure.traceId ?? null,
    data: {
      provider: row.provider,
      user_id: row.user_id,
      message: 'The connection stopped working. Ask the user to connect again.',
      error_type: failure.errorType,
      error_details: failure.message,
    },
  };
}

/** `provider.connection.removed`, for data pipelines only. */
export function connectionRemovedEvent(
  connection: Pick<Connection, 'teamId' | 'userId' | 'provider' | 'externalUserId'>,
  { clientUserId, reason }: { readonly clientUserId: string; readonly reason: RemovalReason },
) {
  const { teamId, userId, provider, externalUserId } = connection;
  const data: ConnectionRemoved = { user_id: userId, provider, external_user_id: externalUserId, reason };
  return { eventType: 'provider.connection.removed', teamId, userId, clientUserId, data };
}
