import { run, type Executor } from '@pulsewire/database';
import { and, count, desc, eq, isNull, asc, gt, between, like, or } from 'drizzle-orm';
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

/** Ids of live users of the team in ascending order, after `after`, at most `limit`; only `userId` when it is given. */
export async function listUserIds(
  { orm }: Executor,
  teamId: string,
  { after, limit, userId }: { readonly after: string | null; readonly limit: number; readonly userId: string | null },
): Promise<readonly string[]> {
  const rows = await run(
    orm
      .select({ userId: users.userId })
      .from(users)
      .where(
        and(
          eq(users.teamId, teamId),
          isNull(users.deletedAt),
          after === null ? undefined : gt(users.userId, after),
          userId === null ? undefined : eq(users.userId, userId),
        ),
      )
      .orderBy(asc(users.userId))
      .limit(limit),
  );
  return rows.map((row) => row.userId);
}

const usersMax = 100;
const zeroId = '00000000-0000-0000-0000-000000000000';

// Ids that start with the text are one range of the index; casting ids to text would scan the table.
function idRange(prefix: string): { readonly from: string; readonly to: string } | null {
  const text = prefix.toLowerCase();
  if (text.length > zeroId.length) return null;
  for (let i = 0; i < text.length; i++) {
    const fits = zeroId[i] === '-' ? text[i] === '-' : /[0-9a-f]/.test(text.charAt(i));
    if (!fits) return null;
  }
  const rest = zeroId.slice(text.length);
  return { from: text + rest, to: text + rest.replaceAll('0', 'f') };
}

/** Live users of the team whose user id or reference starts with the text; newest first, at most 100. */
export async function searchUsers({ orm }: Executor, teamId: string, prefix: string): Promise<readonly User[]> {
  const range = idRange(prefix);
  const pattern = `${prefix.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const isFound = or(like(users.clientUserId, pattern), range ? between(users.userId, range.from, range.to) : undefined);
  const rows = await run(
    orm
      .select()
      .from(users)
      .where(and(eq(users.teamId, teamId), isNull(users.deletedAt), isFound))
      .orderBy(desc(users.createdAt), desc(users.userId))
      .limit(usersMax),
  );
  return rows.map(toUser);
}
