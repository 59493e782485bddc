import type { Clock } from '@pulsewire/kernel';
import { plainArray, type Tx } from '@pulsewire/database';
import { jsonEvent, type Emit } from '@pulsewire/eventlog';
import type { Connection } from '../model/connection.ts';
import { connectionRemovedEvent, type RemovalReason } from './events.ts';
import { deleteConnections } from './remove.ts';

export interface EndOptions {
  readonly clock: Clock;
  /** Called in the same transaction, to delete the plan of pulls. */
  readonly onDeregistered?: (tx: Tx, connection: Connection) => Promise<void>;
}

/**
 * Queues these connections of a team for deregistration at their provider, with a copy of their encrypted tokens. The caller deletes the
 * original tokens.
 */
export async function queueDeregistrations({ sql }: Tx, clock: Clock, teamId: string, connectionIds: readonly string[]): Promise<void> {
  const now = clock.now().toISOString();
  // Encrypted values are bound to the connection's id, which the copy keeps. The entry of an earlier pause may still exist when the user
  // has linked again: the newer tokens must be revoked, and a trigger ends the lease of who is revoking the older ones.
  await sql`
    INSERT INTO deregistrations (connection_id, team_id, user_id, provider, provider_user_id, application, granted_scopes, account,
      access_token, refresh_token, due_at, created_at)
    SELECT c.connection_id, c.team_id, c.user_id, c.provider, c.provider_user_id, c.application, c.granted_scopes, c.account,
      t.access_token, t.refresh_token, clock_timestamp(), ${now}
    FROM connections c JOIN connection_tokens t USING (connection_id)
    WHERE c.connection_id = ANY(${plainArray(connectionIds)}::uuid[]) AND c.team_id = ${teamId}
    ON CONFLICT (connection_id) DO UPDATE SET provider_user_id = excluded.provider_user_id, application = excluded.application,
      granted_scopes = excluded.granted_scopes, account = excluded.account, access_token = excluded.access_token,
      refresh_token = excluded.refresh_token, attempts = 0, due_at = excluded.due_at`;
}

/**
 * Deletes a connection and its tokens, queues its deregistration and emits `provider.connection.removed`. The caller holds the user's lock.
 */
export async function endConnection(
  tx: Tx,
  emit: Emit,
  options: EndOptions,
  connection: Connection,
  reported: { readonly clientUserId: string; readonly reason: RemovalReason },
): Promise<void> {
  const { teamId, connectionId } = connection;
  await queueDeregistrations(tx, options.clock, teamId, [connectionId]);
  await deleteConnections(tx, teamId, [connectionId]);
  await options.onDeregistered?.(tx, connection);
  emit(jsonEvent(connectionRemovedEvent(connection, reported)));
}
