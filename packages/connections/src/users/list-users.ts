import { and, count, desc, eq, isNull } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { users } from '../model/tables.ts';
import { toUser, type User } from './user.ts';

/** Live users of the team, newest first, and how many there are in all. */
export async function listUsers(
  { orm }: Executor,
  teamId: string,
  page: { readonly offset: number; readonly limit: number },
): Promise<{ readonly users: readonly User[]; readonly total: number }> {
  const isLive = and(eq(users.teamId, teamId), isNull(users.deletedAt));
  const rows = await run(
    orm.select().from(users).where(isLive).orderBy(desc(users.createdAt), desc(users.userId)).limit(page.limit).offset(page.offset),
  );
  const [all] = await run(orm.select({ total: count() }).from(users).where(isLive));
  return { users: rows.map(toUser), total: all?.total ?? 0 };
}
