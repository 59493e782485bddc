import { and, eq } from 'drizzle-orm';
import type { Clock } from '@pulsewire/kernel';
import { plainArray, run, type Database, type Tx } from '@pulsewire/database';
import { jsonEvent, withEvents, type Emit } from '@pulsewire/eventlog';
import { deleteConnections } from '../connection-status/remove.ts';
import { fromStored, toConnection, type Connection, type ConnectionRow } from '../model/connection.ts';
import { connections } from '../model/tables.ts';
import { lockUser } from '../users/find-user.ts';
import { deleteEmailLinks } from './delete-email-links.ts';
import { connectionNotFound } from './errors.ts';
import { connectionRemovedEvent, type RemovalReason } from './events.ts';
import { handBack, type HandBackOptions } from './hand-back.ts';

export interface DeregistrationOptions extends HandBackOptions {
  /** Called in the same transaction, to delete the plan of pulls. */
  readonly onDeregistered?: (tx: Tx, connection: Connection) => Promise<void>;
}

export interface ConnectionReference {
  readonly teamId: string;
  readonly userId: string;
  readonly provider: string;
}

/**
 * Queues these connections of a team for deregistration at their provider, with a copy of their encrypted tokens. The caller deletes the
 * original tokens.
 */
export async function queueDeregistrations({ sql }: Tx, clock: Clock, teamId: string, connectionIds: readonly string[]): Promise<void> {
  const now = clock.now().toISOString();
  // Encrypted values are bound to the connection's id, which the copy keeps. The entry of an earlier pause may still exist when the user
  // has linked again: the newer tokens must be revoked.
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

/**
 * Deletes a connection and its tokens, queues its deregistration and emits `provider.connection.removed`. The caller holds the user's lock.
 */
export async function endConnection(
  tx: Tx,
  emit: Emit,
  options: DeregistrationOptions,
  connection: Connection,
  reported: { readonly clientUserId: string; readonly reason: RemovalReason },
): Promise<void> {
  const { teamId, connectionId } = connection;
  await queueDeregistrations(tx, options.clock, teamId, [connectionId]);
  await deleteConnections(tx, teamId, [connectionId]);
  await options.onDeregistered?.(tx, connection);
  emit(jsonEvent(connectionRemovedEvent(connection, reported)));
}

/** `endConnection` for one whose days are handed back to the connection that it succeeds. */
async function endAndHandBack(
  tx: Tx,
  emit: Emit,
  options: DeregistrationOptions,
  connection: Connection,
  reported: { readonly clientUserId: string; readonly reason: RemovalReason },
): Promise<void> {
  await handBack(tx, options, connection);
  await endConnection(tx, emit, options, connection, reported);
}

/**
 * Removes a connection that has another consent than the new one: another account at the provider, or another application. It is
 * deregistered, because its tokens, subscriptions and history do not belong to the new one. An unknown account counts as the same. The
 * caller holds the lock of the user.
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
  if (!row) return;
  const connection = toConnection(row);
  const end = connection.providerUserId === next.providerUserId ? endConnection : endAndHandBack;
  await end(tx, emit, options, connection, { clientUserId: next.clientUserId, reason: 'replaced' });
}

/**
 * Removes the connection, and a pending link by e-mail; queues the deregistration at the provider. Returns false when there is neither. The
 * caller holds the lock of the user.
 */
export async function removeConnection(
  tx: Tx,
  emit: Emit,
  options: DeregistrationOptions,
  { teamId, userId, provider, ...notice }: ConnectionReference & { readonly clientUserId: string; readonly reason: RemovalReason },
): Promise<boolean> {
  const wasRequested = await deleteEmailLinks(tx, { teamId, userId, provider });
  const isWanted = and(eq(connections.userId, userId), eq(connections.provider, provider), eq(connections.teamId, teamId));
  const [row] = await run(tx.orm.select().from(connections).where(isWanted).for('update'));
  if (!row) return wasRequested;
  await endAndHandBack(tx, emit, options, fromStored(row), notice);
  return true;
}

/**
 * Deregisters one provider of a user: the connection and its tokens are deleted when this resolves; `processDeregistrations` revokes the
 * access at the provider later. Stored data is kept. Throws AppError `user_not_found`, `user_deleted` or `connection_not_found`.
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
