import { lte } from 'drizzle-orm';
import type { Clock } from '@pulsewire/kernel';
import { run, type Executor, type Tx } from '@pulsewire/database';
import { erasureGraceMs } from '../model/erasure-grace.ts';
import { users } from '../model/tables.ts';

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
 * Removes what this package keeps of a deleted user, the user last. The other packages erase their part in the same
 * transaction, before this. Gives false, and does nothing, when the deletion was undone meanwhile.
 */
export async function eraseUser({ sql }: Tx, clock: Clock, userId: string): Promise<boolean> {
  const before = new Date(clock.now().getTime() - erasureGraceMs).toISOString();
  const [row] = await sql`SELECT 1 FROM users WHERE user_id = ${userId} AND deleted_at <= ${before} FOR UPDATE`;
  if (!row) return false;
  await sql`
    INSERT INTO erasures (user_id, team_id, erased_at)
    SELECT user_id, team_id, ${clock.now().toISOString()} FROM users WHERE user_id = ${userId} ON CONFLICT DO NOTHING`;
  await sql`DELETE FROM link_sessions WHERE user_id = ${userId}`;
  await sql`DELETE FROM link_consents WHERE user_id = ${userId}`;
  await sql`DELETE FROM email_links WHERE user_id = ${userId}`;
  await sql`DELETE FROM user_refreshes WHERE user_id = ${userId}`;
  await sql`DELETE FROM deregistrations WHERE user_id = ${userId}`;
  await sql`DELETE FROM bulk_items WHERE user_id = ${userId}`;
  await sql`DELETE FROM connections WHERE user_id = ${userId}`;
  await sql`DELETE FROM users WHERE user_id = ${userId}`;
  return true;
}
