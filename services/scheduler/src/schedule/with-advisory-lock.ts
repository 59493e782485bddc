import { advisoryLocks, type Database } from '@pulsewire/database';

/**
 * Runs `work`, or returns undefined if another process is running it. The lock belongs to a session, so that the work may
 * use many transactions; Postgres releases it when the session ends.
 */
export async function withAdvisoryLock<T>(
  database: Database,
  name: string,
  work: () => Promise<T>,
): Promise<{ readonly result: T } | undefined> {
  const session = await database.reserve();
  try {
    const [row] = await session<
      { isOurs: boolean }[]
    >`SELECT pg_try_advisory_lock(${advisoryLocks.scheduledJob}, hashtext(${name})) AS "isOurs"`;
    if (!row?.isOurs) return undefined;
    try {
      return { result: await work() };
    } finally {
      await session`SELECT pg_advisory_unlock(${advisoryLocks.scheduledJob}, hashtext(${name}))`;
    }
  } finally {
    session.release();
  }
}
