import type { Clock } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import { deleteEmailLinks } from '../connections/delete-email-links.ts';
import { removeConnection, type DeregistrationOptions } from '../connections/remove-connection.ts';
import { lockUser } from '../users/find-user.ts';
import { userDeletedEvent } from './user-events.ts';

/**
 * Schedules a user for deletion: every connection is deregistered at once, data go after the grace period, and the reference
 * is free again at once. Throws AppError `user_not_found`, or `user_deleted` for a repeat.
 */
export async function deleteUser(
  database: Database,
  options: DeregistrationOptions & { readonly clock: Clock },
  teamId: string,
  userId: string,
): Promise<void> {
  await withEvents(database, async (tx, emit) => {
    const { clientUserId } = await lockUser(tx, teamId, userId);
    const rows = await tx.sql<{ provider: string }[]>`SELECT provider FROM connections WHERE user_id = ${userId} AND team_id = ${teamId}`;
    for (const { provider } of rows)
      await removeConnection(tx, emit, options, { teamId, userId, provider, clientUserId, reason: 'user_deleted' });
    await deleteEmailLinks(tx, { teamId, userId, provider: null });
    await tx.sql`DELETE FROM link_sessions WHERE user_id = ${userId} AND team_id = ${teamId}`;
    const now = options.clock.now();
    await tx.sql`UPDATE users SET deleted_at = ${now.toISOString()} WHERE user_id = ${userId} AND team_id = ${teamId}`;
    emit(userDeletedEvent({ teamId, userId, clientUserId }, now));
  });
}
