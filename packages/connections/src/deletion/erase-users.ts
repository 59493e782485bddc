import { and, eq, lte } from 'drizzle-orm';
import type { Clock } from '@pulsewire/kernel';
import { run, type Executor, type Tx } from '@pulsewire/database';
import { bulkItems } from '../model/bulk-tables.ts';
import { erasureGraceMs } from '../model/erasure-grace.ts';
import { connections, deregistrations, emailLinks, erasures, linkConsents, linkSessions, userRefreshes, users } from '../model/tables.ts';

/** Deleted users whose grace period is over, oldest first. */
export async function listUsersToErase(
  { orm }: Executor,
  clock: Clock,
  limit: number,
): Promise<readonly { readonly teamId: string; readonly userId: string }[]> {
  const before = new Date(clock.now().getTime() - erasureGraceMs);
  const { teamId, userId, deletedAt } = users;
  return run(orm.select({ teamId, userId }).from(users).where(lte(deletedAt, before)).orderBy(deletedAt).limit(limit));
}

/**
 * Deletes everything that this package stores about a deleted user, the user last. Called before the other packages erase their part in the
 * same transaction, because it locks the user. Returns false, and does nothing, when the deletion was undone in the meantime.
 */
export async function eraseUser({ orm }: Tx, clock: Clock, userId: string): Promise<boolean> {
  const before = new Date(clock.now().getTime() - erasureGraceMs);
  const isDue = and(eq(users.userId, userId), lte(users.deletedAt, before));
  const [user] = await run(orm.select({ teamId: users.teamId }).from(users).where(isDue).for('update'));
  if (!user) return false;
  await run(orm.insert(erasures).values({ userId, teamId: user.teamId, erasedAt: clock.now() }).onConflictDoNothing());
  for (const table of [linkSessions, linkConsents, emailLinks, userRefreshes, deregistrations, bulkItems, connections, users] as const)
    await run(orm.delete(table).where(eq(table.userId, userId)));
  return true;
}
