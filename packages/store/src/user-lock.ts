import type { Tx } from '@pulsewire/database';

// Apart from every other advisory lock on the same user.
const space = 2;

/**
 * Keeps an erasure out until this transaction ends; writers do not hinder each other. Not waited for: statements on one
 * connection run in order, so whatever is sent after it runs under the lock. The caller awaits it with its last result.
 */
export function shareUser({ sql }: Tx, userId: string): Promise<unknown> {
  return sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${userId}, ${space}))`.execute();
}

/** Waits until nobody writes for the user, and keeps them out until this transaction ends. */
export async function claimUser({ sql }: Tx, userId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${userId}, ${space}))`;
}
