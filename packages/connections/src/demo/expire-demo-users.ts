import { isAppError } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import type { DeregistrationOptions } from '../connections/remove-connection.ts';
import { deleteUser } from '../users/delete-user.ts';

/** Demo users live so long. */
const lifeMs = 7 * 86_400_000;

/** Deletes demo users seven days after their first demo connection, at most `limit`; gives how many. */
export async function expireDemoUsers(database: Database, options: DeregistrationOptions, limit: number): Promise<number> {
  const before = new Date(options.clock.now().getTime() - lifeMs).toISOString();
  const rows = await database.sql<{ team_id: string; user_id: string }[]>`
    SELECT DISTINCT team_id, user_id FROM connections WHERE demo_due_at IS NOT NULL AND created_at <= ${before} LIMIT ${limit}`;
  for (const { team_id: teamId, user_id: userId } of rows) {
    try {
      await deleteUser(database, options, teamId, userId);
    } catch (error) {
      // Deleted meanwhile: then it is as it should be.
      if (!isAppError(error) || error.kind !== 'not_found') throw error;
    }
  }
  return rows.length;
}
