import { run, type Database, type Tx } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import { AppError } from '@pulsewire/kernel';
import { and, eq, sql } from 'drizzle-orm';
import { userUndeletedEvent } from './user-events.ts';
import { erasureGraceMs } from '../model/erasure-grace.ts';
import { isUniqueViolation } from '../model/rows.ts';
import { users } from '../model/tables.ts';
import type { Team } from '../teams/team.ts';
import type { CreateUserOptions } from '../users/create-user.ts';
import { userNotFound } from '../users/errors.ts';
import { assertSandboxCapacity } from '../users/sandbox-capacity.ts';

export type UserReference = { readonly userId: string } | { readonly clientUserId: string };

function refused(message: string, cause?: unknown): AppError {
  return new AppError({ code: 'undo_refused', kind: 'invalid', message, cause });
}

// A reference means the most recently deleted user: earlier users with the same reference may also wait for erasure.
async function lockDeleted({ orm }: Tx, teamId: string, reference: UserReference) {
  const matches = 'userId' in reference ? eq(users.userId, reference.userId) : eq(users.clientUserId, reference.clientUserId);
  const [row] = await run(
    orm
      .select({ userId: users.userId, clientUserId: users.clientUserId, deletedAt: users.deletedAt })
      .from(users)
      .where(and(eq(users.teamId, teamId), matches))
      .orderBy(sql`${users.deletedAt} DESC NULLS FIRST`)
      .limit(1)
      .for('update'),
  );
  if (!row) throw userNotFound();
  return row;
}

/**
 * Undoes a deletion; connections are not restored. Throws AppError `user_not_found`, or `undo_refused` when the user is not deleted, the
 * grace period is over, or a new user has the reference; `sandbox_users_exhausted` when the sandbox team is full again.
 */
export async function undoDeletion(
  database: Database,
  team: Team,
  reference: UserReference,
  { clock, sandboxUsersMax }: CreateUserOptions,
): Promise<string> {
  const { teamId } = team;
  const taken = 'Another user now has this client_user_id';
  try {
    return await withEvents(database, async (tx, emit) => {
      const { userId, clientUserId, deletedAt } = await lockDeleted(tx, teamId, reference);
      if (deletedAt === null) throw refused('userId' in reference ? 'This user is not deleted' : taken);
      if (deletedAt.getTime() + erasureGraceMs <= clock.now().getTime()) throw refused('The grace period of this deletion is over');
      await assertSandboxCapacity(tx, team, sandboxUsersMax);
      await run(
        tx.orm
          .update(users)
          .set({ deletedAt: null })
          .where(and(eq(users.userId, userId), eq(users.teamId, teamId))),
      );
      emit(userUndeletedEvent({ teamId, userId, clientUserId }, clock.now()));
      return userId;
    });
  } catch (error) {
    throw isUniqueViolation(error, 'users_by_client_user_id') ? refused(taken, error) : error;
  }
}
