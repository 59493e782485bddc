import type { Database } from '@pulsewire/database';

// Keeps our locks apart from other users of advisory locks in the same database.
const lockSpace = 0x70_77;

/**
 * Runs `work` unless another process is running it: gives undefined then. The lock is a session's, so that the work may
 * take many transactions; Postgres frees it when the session dies.
 */
export async function withAdvisoryLock<T>(
  database: Database,
  name: string,
  work: () => Promise<T>,
): Promise<{ readonly result: T } | undefined> {
  const session = await database.reserve();
  try {
    const [row] = await session<{ isOurs: boolean }[]>`SELECT pg_try_advisory_lock(${lockSpace}, hashtext(${name})) AS "isOurs"`;
    if (!row?.isOurs) return undefined;
    try {
      return { result: await work() };
    } finally {
      await session`SELECT pg_advisory_unlock(${lockSpace}, hashtext(${name}))`;
    }
  } finally {
    session.release();
  }
}
