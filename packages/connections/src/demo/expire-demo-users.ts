import { isAppError } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import type { DeregistrationOptions } from '../connections/remove-connection.ts';
import { deleteUser } from '../deletion/delete-user.ts';

/** Life of a demo user. */
const lifeMs = 7 * 86_400_000;

/**
 * Deletes demo users seven days after their first demo connection, `limit` at a time, and returns how many. A user who cannot be deleted
 * does not stop the others: the first error is thrown at the end.
 */
export async function expireDemoUsers(database: Database, options: DeregistrationOptions, limit: number): Promise<number> {
  const before = new Date(options.clock.now().getTime() - lifeMs).toISOString();
  let expired = 0;
  let after: string | null = null;
  const errors: unknown[] = [];
  do {
    const rows: readonly { team_id: string; user_id: string }[] = await database.sql<{ team_id: string; user_id: string }[]>`
      SELECT DISTINCT team_id, user_id FROM connections
      WHERE demo_due_at IS NOT NULL AND created_at <= ${before} AND (${after}::uuid IS NULL OR user_id > ${after}::uuid)
      ORDER BY user_id LIMIT ${limit}`;
    for (const { team_id: teamId, user_id: userId } of rows) {
      try {
        await deleteUser(database, options, teamId, userId);
        expired += 1;
      } catch (error) {
        // Deleted in the meantime.
        if (!isAppError(error) || error.kind !== 'not_found') errors.push(error);
      }
    }
    after = rows.length === limit ? (rows.at(-1)?.user_id ?? null) : null;
  } while (after !== null);
  if (errors.length > 0) throw errors[0];
  return expired;
}
