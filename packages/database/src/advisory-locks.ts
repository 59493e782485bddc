import type { Tx } from './client.ts';

/**
 * Every advisory lock of this schema: applications that share a database share the numbers too. Two processes of different versions may run
 * at once, so a number never changes. Postgres keeps keys of one bigint apart from keys of two integers.
 */
export const advisoryLocks = {
  /** Seeds of `hashtextextended`, so that equal names of different kinds do not block each other. */
  named: 0,
  user: 2,
  pushBody: 3,
  /** First of two integers; the second is the hash of the job's name. */
  scheduledJob: 0x70_77,
  /** Keys of their own. */
  migration: 0x70_75_6c_73,
  seedTeam: 0x70_75_6c_74,
  receiptVersions: 0x72_65_63_76,
} as const;

/** Waits for the lock on a name and holds it until the transaction ends. */
export async function takeLock({ sql }: Pick<Tx, 'sql'>, kind: 'named' | 'pushBody', name: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, ${advisoryLocks[kind]}))`;
}
