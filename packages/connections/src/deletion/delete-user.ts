import { and, eq } from 'drizzle-orm';
import { run, type Database, type Tx } from '@pulsewire/database';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import { deleteEmailLinks } from '../connections/delete-email-links.ts';
import { removeConnection, type DeregistrationOptions } from '../connections/remove-connection.ts';
import { connections, linkSessions, users } from '../model/tables.ts';
import { lockUser } from '../users/find-user.ts';
import { userDeletedEvent } from './user-events.ts';

export interface DeletionOptions extends DeregistrationOptions {
  /** Called in the same transaction with the locked user, before it is deleted: ends what must not continue during the grace period. */
  readonly onDeleting?: (tx: Tx, emit: Emit, user: { readonly teamId: string; readonly userId: string }) => Promise<void>;
}

/**
 * Schedules a user for deletion: every connection is deregistered now, the reference can be used again now, and the data is erased after
 * the grace period. Throws AppError `user_not_found`, or `user_deleted` for a repeat.
 */
export async function deleteUser(database: Database, options: DeletionOptions, teamId: string, userId: string): Promise<void> {
  await withEvents(database, async (tx, emit) => {
    const { clientUserId } = await lockUser(tx, teamId, userId);
    await options.onDeleting?.(tx, emit, { teamId, userId });
    const { provider: slug } = connections;
    const rows = await run(
      tx.orm
        .select({ provider: slug })
        .from(connections)
        .where(and(eq(connections.userId, userId), eq(connections.teamId, teamId))),
    );
    for (const { provider } of rows)
      await removeConnection(tx, emit, options, { teamId, userId, provider, clientUserId, reason: 'user_deleted' });
    await deleteEmailLinks(tx, { teamId, userId, provider: null });
    await run(tx.orm.delete(linkSessions).where(and(eq(linkSessions.userId, userId), eq(linkSessions.teamId, teamId))));
    const now = options.clock.now();
    await run(
      tx.orm
        .update(users)
        .set({ deletedAt: now })
        .where(and(eq(users.userId, userId), eq(users.teamId, teamId))),
    );
    emit(userDeletedEvent({ teamId, userId, clientUserId }, now));
  });
}
