import { advisoryLocks, plainArray, type Tx } from '@pulsewire/database';

/**
 * Serialises all writers and erasures of a user's records until this transaction ends. Take it before any row of the user, also the user's
 * own (packages/database/LOCKS.md); taking it again does nothing.
 */
export async function lockRecords(tx: Tx, userId: string): Promise<void> {
  await lockRecordsOfUsers(tx, [userId]);
}

/** The same without waiting: false when a writer of the user has the lock. */
export async function tryLockRecords({ sql }: Tx, userId: string): Promise<boolean> {
  const [row] = await sql<
    { locked: boolean }[]
  >`SELECT pg_try_advisory_xact_lock(hashtextextended(${userId}, ${advisoryLocks.user})) AS locked`;
  return row?.locked === true;
}

/** The same for several users, always in the same order. */
export async function lockRecordsOfUsers({ sql }: Tx, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  const sorted = [...new Set(userIds)].sort();
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(id::text, ${advisoryLocks.user})) FROM unnest(${plainArray(sorted)}::uuid[]) AS u(id)`;
}
