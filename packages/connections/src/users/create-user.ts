import { randomUUID } from 'node:crypto';
import { run, type Database } from '@pulsewire/database';
import { AppError, type Clock } from '@pulsewire/kernel';
import { and, eq, isNull } from 'drizzle-orm';
import { isUniqueViolation } from '../model/rows.ts';
import { users } from '../model/tables.ts';
import type { Team } from '../teams/team.ts';
import { assertSandboxCapacity } from './sandbox-capacity.ts';
import { birthDateColumns, timeZoneColumns, toUser, type User } from './user.ts';

export interface NewUser {
  readonly clientUserId: string;
  readonly fallbackTimeZone?: string | null;
  readonly fallbackBirthDate?: string | null;
  readonly ingestionStart?: string | null;
  readonly ingestionEnd?: string | null;
}

export interface CreateUserOptions {
  readonly clock: Clock;
  /** Live users that a sandbox team may have. */
  readonly sandboxUsersMax: number;
}

async function conflict({ orm }: Database, teamId: string, clientUserId: string, cause: unknown): Promise<AppError> {
  const { userId, createdAt } = users;
  const isHolder = and(eq(users.teamId, teamId), eq(users.clientUserId, clientUserId), isNull(users.deletedAt));
  const [holder] = await run(orm.select({ userId, createdAt }).from(users).where(isHolder));
  return new AppError({
    code: 'client_user_id_taken',
    kind: 'conflict',
    message: 'This client_user_id is already in use',
    details: { ...holder },
    cause,
  });
}

/**
 * Creates a user. The reference must be free among the team's live users, else AppError `client_user_id_taken`
 * with `userId` and `createdAt` of its holder in the details. Throws AppError `sandbox_users_exhausted` when a sandbox team is full.
 */
export async function createUser(database: Database, team: Team, user: NewUser, options: CreateUserOptions): Promise<User> {
  const now = options.clock.now();
  try {
    return await database.transaction(async (tx) => {
      await assertSandboxCapacity(tx, team, options.sandboxUsersMax);
      const values = {
        userId: randomUUID(),
        teamId: team.teamId,
        clientUserId: user.clientUserId,
        ...timeZoneColumns(user.fallbackTimeZone ?? null, now),
        ...birthDateColumns(user.fallbackBirthDate ?? null, now),
        ingestionStart: user.ingestionStart,
        ingestionEnd: user.ingestionEnd,
        createdAt: now,
      };
      const [row] = await run(tx.orm.insert(users).values(values).returning());
      return toUser(row as NonNullable<typeof row>);
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'users_by_client_user_id')) throw error;
    throw await conflict(database, team.teamId, user.clientUserId, error);
  }
}
