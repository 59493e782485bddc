import { and, eq } from 'drizzle-orm';
import { run, type Database, type Tx } from '@pulsewire/database';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import { endConnection, type EndOptions } from '../connection-status/end-connection.ts';
import type { RemovalReason } from '../connection-status/events.ts';
import { fromStored, toConnection, type Connection, type ConnectionRow } from '../model/connection.ts';
import { connections } from '../model/tables.ts';
import { handBack, type HandBackOptions } from '../handover/hand-back.ts';
import { lockUser } from '../users/find-user.ts';
import { deleteEmailLinks } from './delete-email-links.ts';
import { connectionNotFound } from './errors.ts';

export type DeregistrationOptions = HandBackOptions & EndOptions;

export interface ConnectionReference {
  readonly teamId: string;
  readonly userId: string;
  readonly provider: string;
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
