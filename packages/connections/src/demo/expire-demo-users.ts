import { and, asc, gt, isNotNull, lte } from 'drizzle-orm';
import { isAppError } from '@pulsewire/kernel';
import { run, type Database } from '@pulsewire/database';
import type { DeregistrationOptions } from '../connections/remove-connection.ts';
import { deleteUser } from '../deletion/delete-user.ts';
import { connections } from '../model/tables.ts';

/** Life of a demo user. */
const lifeMs = 7 * 86_400_000;

/**
 * Deletes demo users seven days after their first demo connection, `limit` at a time, and returns how many. A user who cannot be deleted
 * does not stop the others: the first error is thrown at the end.
 */
export async function expireDemoUsers(database: Database, options: DeregistrationOptions, limit: number): Promise<number> {
  const before = new Date(options.clock.now().getTime() - lifeMs);
  let expired = 0;
  let after: string | null = null;
  const errors: unknown[] = [];
  do {
    const isAfter = after === null ? undefined : gt(connections.userId, after);
    const isExpired = and(isNotNull(connections.demoDueAt), lte(connections.createdAt, before), isAfter);
    const columns = { teamId: connections.teamId, userId: connections.userId };
    const rows: readonly { teamId: string; userId: string }[] = await run(
      database.orm.selectDistinct(columns).from(connections).where(isExpired).orderBy(asc(connections.userId)).limit(limit),
    );
    for (const { teamId, userId } of rows) {
      try {
        await deleteUser(database, options, teamId, userId);
        expired += 1;
      } catch (error) {
        // Deleted in the meantime.
        if (!isAppError(error) || error.kind !== 'not_found') errors.push(error);
      }
    }
    after = rows.length === limit ? (rows.at(-1)?.userId ?? null) : null;
  } while (after !== null);
  if (errors.length > 0) throw errors[0];
  return expired;
}
