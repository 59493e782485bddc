import type { Clock } from '@pulsewire/kernel';
import { plainArray, type Database, type Tx } from '@pulsewire/database';
import { jsonEvent, withEvents, type Emit } from '@pulsewire/eventlog';
import { toConnection, type Connection, type ConnectionRow } from '../model/connection.ts';
import { lockUser } from '../users/find-user.ts';
import { deleteEmailLinks } from './delete-email-links.ts';
import { connectionNotFound } from './errors.ts';
import { connectionRemovedEvent, type RemovalReason } from './events.ts';

export interface DeregistrationOptions {
  readonly clock: Clock;
  /** Called in the same transaction: whoever plans pulls drops them here. */
  readonly onDeregistered?: (tx: Tx, connection: Connection) => Promise<void>;
}

export interface ConnectionReference {
  readonly teamId: string;
  readonly userId: string;
  readonly provider: string;
}

/**
 * Leaves a note of what is to do at the provider for each of these connections of a team: their tokens, as they are, for the farewell.
 * The tokens stay, the caller deletes them.
 */
export async function queueDeregistrations({ sql }: Tx, clock: Clock, teamId: string, connectionIds: readonly string[]): Promise<void> {
  const now = clock.now().toISOString();
  // Sealed values are bound to the connection's id, which the note keeps: they move as they are. The note of an earlier pause
  // may still be there when the user has linked again; the newer tokens are the ones to revoke.
  await sql`
    INSERT INTO deregistrations (connection_id, team_id, user_id, provider, provider_user_id, application, granted_scopes, account,
      access_token, refresh_token, due_at, created_at)
    SELECT c.connection_id, c.team_id, c.user_id, c.provider, c.provider_user_id, c.application, c.granted_scopes, c.account,
      t.access_token, t.refresh_token, ${now}, ${now}
    FROM connections c JOIN connection_tokens t USING (connection_id)
    WHERE c.connection_id = ANY(${plainArray(connectionIds)}::uuid[]) AND c.team_id = ${teamId}
    ON CONFLICT (connection_id) DO UPDATE SET provider_user_id = excluded.provider_user_id, application = excluded.application,
      granted_scopes = excluded.granted_scopes, account = excluded.account, access_token = excluded.access_token,
      refresh_token = excluded.refresh_token, attempts = 0, due_at = excluded.due_at`;
}

async function endConnection(
  tx: Tx,
  emit: Emit,
  options: DeregistrationOptions,
  connection: Connection,
  told: { readonly clientUserId: string; readonly reason: RemovalReason },
): Promise<void> {
  const { teamId, connectionId } = connection;
  await queueDeregistrations(tx, options.clock, teamId, [connectionId]);
  await tx.sql`DELETE FROM connections WHERE connection_id = ${connectionId} AND team_id = ${teamId}`;
  await options.onDeregistered?.(tx, connection);
  emit(jsonEvent(connectionRemovedEvent(connection, told)));
}

/**
 * Takes a connection away that lives by another consent than the one which comes now: another account at the provider, or another
 * application. It ends as by a deregistration, for its tokens, its subscriptions and its history are not those of the new one. One whose
 * account is not known counts as the same. The user is locked by the caller.
 */
export async function removeReplacedConnection(
  tx: Tx,
  emit: Emit,
  options: DeregistrationOptions,
  next: ConnectionReference & {
    readonly clientUserId: string;
    readonly providerUserId: string | null;
    readonly application: 'team' | 'platform';
  },
): Promise<void> {
  const [row] = await tx.sql<ConnectionRow[]>`
    SELECT * FROM connections WHERE user_id = ${next.userId} AND provider = ${next.provider} AND team_id = ${next.teamId}
      AND (provider_user_id <> ${next.providerUserId}::text OR application <> ${next.application}) FOR UPDATE`;
  if (row) await endConnection(tx, emit, options, toConnection(row), { clientUserId: next.clientUserId, reason: 'replaced' });
}

/**
 * Takes the connection away, and a request for one that waits to be confirmed; leaves a note of what is to do at the provider. False when
 * there is neither. The user is locked by the caller.
 */
export async function removeConnection(
  tx: Tx,
  emit: Emit,
  options: DeregistrationOptions,
  { teamId, userId, provider, ...told }: ConnectionReference & { readonly clientUserId: string; readonly reason: RemovalReason },
): Promise<boolean> {
  const wasRequested = await deleteEmailLinks(tx, { teamId, userId, provider });
  const [row] = await tx.sql<ConnectionRow[]>`
    SELECT * FROM connections WHERE user_id = ${userId} AND provider = ${provider} AND team_id = ${teamId} FOR UPDATE`;
  if (!row) return wasRequested;
  await endConnection(tx, emit, options, toConnection(row), told);
  return true;
}

/**
 * Deregisters one provider of a user: the connection and its tokens are gone when this resolves; revoking at the provider
 * follows (`processDeregistrations`). Stored data stay. Throws AppError `user_not_found`, `user_deleted` or `connection_not_found`.
 */
export async function deregisterConnection(
  database: Database,
  options: DeregistrationOptions,
  reference: ConnectionReference,
): Promise<void> {
  await withEvents(database, async (tx, emit) => {
    const { clientUserId } = await lockUser(tx, reference.teamId, reference.userId);
    if (!(await removeConnection(tx, emit, options, { ...reference, clientUserId, reason: 'deregistered' }))) throw connectionNotFound();
  });
}
