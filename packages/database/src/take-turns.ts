import type { Database } from './client.ts';

/**
 * The same pool for callers whose transactions must take turns: a transaction that waits for a lock keeps its connection, so that one caller
 * with many of them would otherwise leave none to the others.
 */
export function takeTurns(database: Database, turn: <T>(work: () => Promise<T>) => Promise<T>): Database {
  return { ...database, transaction: (work) => turn(() => database.transaction(work)) };
}
