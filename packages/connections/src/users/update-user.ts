import { and, eq } from 'drizzle-orm';
import { AppError, type Clock } from '@pulsewire/kernel';
import { run, type Database } from '@pulsewire/database';
import { isUniqueViolation } from '../model/rows.ts';
import { users } from '../model/tables.ts';
import { lockUser } from './find-user.ts';
import { birthDateColumns, timeZoneColumns, toUser, type User } from './user.ts';

/** Absent keys stay unchanged; null clears. */
export interface UserChanges {
  readonly clientUserId?: string;
  readonly fallbackTimeZone?: string | null;
  readonly fallbackBirthDate?: string | null;
  readonly ingestionStart?: string | null;
  readonly ingestionEnd?: string | null;
}

function boundsReversed(start: string, end: string): AppError {
  return new AppError({
    code: 'ingestion_bounds_reversed',
    kind: 'invalid',
    message: 'ingestion_start must not be after ingestion_end: nothing would be stored',
    details: { ingestionStart: start, ingestionEnd: end },
  });
}

/**
 * Changes a live user. Throws AppError `user_not_found`, `user_deleted`, `client_user_id_taken` when another live user of the team has the
 * reference, and `ingestion_bounds_reversed` when a changed bound contradicts a stored one.
 */
export async function updateUser(database: Database, clock: Clock, teamId: string, userId: string, changes: UserChanges): Promise<User> {
  const { clientUserId, fallbackTimeZone, fallbackBirthDate, ingestionStart, ingestionEnd } = changes;
  const now = clock.now();
  try {
    return await database.transaction(async (tx) => {
      const user = await lockUser(tx, teamId, userId);
      const start = ingestionStart === undefined ? user.ingestionStart : ingestionStart;
      const end = ingestionEnd === undefined ? user.ingestionEnd : ingestionEnd;
      if (start !== null && end !== null && start > end) throw boundsReversed(start, end);
      const [row] = await run(
        tx.orm
          .update(users)
          .set({
            clientUserId: clientUserId ?? user.clientUserId,
            ...(fallbackTimeZone !== undefined && timeZoneColumns(fallbackTimeZone, now)),
            ...(fallbackBirthDate !== undefined && birthDateColumns(fallbackBirthDate, now)),
            ingestionStart,
            ingestionEnd,
          })
          .where(and(eq(users.userId, userId), eq(users.teamId, teamId)))
          .returning(),
      );
      return toUser(row as NonNullable<typeof row>);
    });
  } catch (cause) {
    if (!isUniqueViolation(cause, 'users_by_client_user_id')) throw cause;
    throw new AppError({ code: 'client_user_id_taken', kind: 'conflict', message: 'This client_user_id is already in use', cause });
  }
}
