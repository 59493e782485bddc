import { run, type Executor, type Tx } from '@pulsewire/database';
import { and, eq, isNull } from 'drizzle-orm';
import { users } from '../model/tables.ts';
import { findTeam } from '../teams/team.ts';
import { userDeleted, userNotFound } from './errors.ts';
import { toUser, type User } from './user.ts';

const byId = (teamId: string, userId: string) => and(eq(users.userId, userId), eq(users.teamId, teamId));

function assertLive(row: typeof users.$inferSelect | undefined): User {
  if (!row) throw userNotFound();
  const user = toUser(row);
  if (user.deletedAt !== null) throw userDeleted();
  return user;
}

/** A live user of the team. Throws AppError `user_not_found`, or `user_deleted` inside the grace period. */
export async function getUser({ orm }: Executor, teamId: string, userId: string): Promise<User> {
  const [row] = await run(orm.select().from(users).where(byId(teamId, userId)));
  return assertLive(row);
}

/** Throws AppError `user_deleted` for a user inside the grace period; whether the user exists otherwise is left to the caller. */
export async function assertNotDeleted({ orm }: Executor, teamId: string, userId: string): Promise<void> {
  const [row] = await run(orm.select({ deletedAt: users.deletedAt }).from(users).where(byId(teamId, userId)));
  if (row !== undefined && row.deletedAt !== null) throw userDeleted();
}

/** A user of any team, also during the grace period of a deletion. For operators. Throws AppError `user_not_found`. */
export async function findUserOfAnyTeam({ orm }: Executor, userId: string): Promise<User> {
  const [row] = await run(orm.select().from(users).where(eq(users.userId, userId)));
  if (!row) throw userNotFound();
  return toUser(row);
}

/**
 * A live user of the team with the row locked. Lock the user before you change anything that belongs to it, so that a deletion cannot run
 * in between.
 */
export async function lockUser({ orm }: Tx, teamId: string, userId: string): Promise<User> {
  const [row] = await run(orm.select().from(users).where(byId(teamId, userId)).for('update'));
  return assertLive(row);
}

/** The live user with the team's reference. Throws AppError `user_not_found`. */
export async function getUserByClientUserId({ orm }: Executor, teamId: string, clientUserId: string): Promise<User> {
  const matches = and(eq(users.teamId, teamId), eq(users.clientUserId, clientUserId), isNull(users.deletedAt));
  const [row] = await run(orm.select().from(users).where(matches));
  return assertLive(row);
}

/** Users and teams by their ids, for packages that know nothing else of them. */
export const accountDirectory = { findUser: getUser, lockUser, findTeam } as const;
