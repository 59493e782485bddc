import { run, type Executor } from '@pulsewire/database';
import { and, count, desc, eq, isNull, asc, gt, between, inArray, like, lte, notExists, or, sql, type SQL } from 'drizzle-orm';
import type { ConnectionStatus } from '../model/connection.ts';
import { connections, users } from '../model/tables.ts';
import { toUser, type User } from './user.ts';

export interface UserFilter {
  /** Only users with a connection to this provider, unless `status` is `none`. */
  readonly provider?: string | undefined;
  /** `none`: without a connection, to the provider if one is given. */
  readonly status?: ConnectionStatus | 'none' | undefined;
  /** Only users with such a connection that is at least this old. */
  readonly connectedBefore?: Date | undefined;
  /** Start of the id or the reference. */
  readonly query?: string | undefined;
}

/** The last user of the page before. */
export interface UserPlace {
  readonly createdAt: string;
  readonly userId: string;
}

function isWanted({ orm }: Executor, teamId: string, { provider, status, connectedBefore, query }: UserFilter): SQL | undefined {
  const isLive = and(eq(users.teamId, teamId), isNull(users.deletedAt), query === undefined ? undefined : startsWith(query));
  if (provider === undefined && status === undefined && connectedBefore === undefined) return isLive;
  const isMeant = and(
    eq(connections.teamId, teamId),
    provider === undefined ? undefined : eq(connections.provider, provider),
    status === undefined || status === 'none' ? undefined : eq(connections.status, status),
    connectedBefore === undefined ? undefined : lte(connections.createdAt, connectedBefore),
  );
  const connected = orm.select({ userId: connections.userId }).from(connections);
  if (status !== 'none') return and(isLive, inArray(users.userId, connected.where(isMeant)));
  return and(isLive, notExists(connected.where(and(isMeant, eq(connections.userId, users.userId)))));
}

// Stored times are more precise than a Date, so the one of the place is read again; its user may be erased meanwhile.
function isAfter(teamId: string, { createdAt, userId }: UserPlace): SQL {
  const stored = sql`SELECT p.created_at FROM users p WHERE p.user_id = ${userId} AND p.team_id = ${teamId}`;
  return sql`(${users.createdAt}, ${users.userId}) < (coalesce((${stored}), ${createdAt}::timestamptz), ${userId}::uuid)`;
}

/** Live users of the team that match, newest first, and how many there are in all. */
export async function listUsers(
  executor: Executor,
  teamId: string,
  page: { readonly offset: number; readonly limit: number; readonly after?: UserPlace | null },
  filter: UserFilter = {},
): Promise<{ readonly users: readonly User[]; readonly total: number }> {
  const { orm } = executor;
  const isMatch = isWanted(executor, teamId, filter);
  const rows = await run(
    orm
      .select()
      .from(users)
      .where(page.after ? and(isMatch, isAfter(teamId, page.after)) : isMatch)
      .orderBy(desc(users.createdAt), desc(users.userId))
      .limit(page.limit)
      .offset(page.offset),
  );
  const [all] = await run(orm.select({ total: count() }).from(users).where(isMatch));
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

/** Whether the id or the reference of a user starts with the text. */
function startsWith(prefix: string): SQL | undefined {
  const range = idRange(prefix);
  const pattern = `${prefix.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return or(like(users.clientUserId, pattern), range ? between(users.userId, range.from, range.to) : undefined);
}

/** Live users of the team whose user id or reference starts with the text; newest first, at most 100. */
export async function searchUsers({ orm }: Executor, teamId: string, prefix: string): Promise<readonly User[]> {
  const rows = await run(
    orm
      .select()
      .from(users)
      .where(and(eq(users.teamId, teamId), isNull(users.deletedAt), startsWith(prefix)))
      .orderBy(desc(users.createdAt), desc(users.userId))
      .limit(usersMax),
  );
  return rows.map(toUser);
}
