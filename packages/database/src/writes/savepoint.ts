import { drizzle } from 'drizzle-orm/postgres-js';
import type postgres from 'postgres';
import type { Orm, Tx } from '../client.ts';

type NoTypes = Record<never, never>;

/** Runs `work` inside a savepoint of the transaction: when it throws, only its own statements are rolled back. The error is rethrown. */
export function savepoint<T>(tx: Tx, work: (inner: Tx) => Promise<T>): Promise<T> {
  const outer = tx.sql as unknown as postgres.TransactionSql<NoTypes> & { readonly options?: unknown };
  return outer.savepoint(async (sql) => {
    let orm: Orm | undefined;
    return work({
      inTransaction: true,
      sql,
      get orm() {
        // Requesting the savepoint from the outer transaction puts the pool's options on `outer`, which drizzle needs here too.
        void tx.orm;
        orm ??= drizzle(Object.assign(sql, { options: outer.options }) as unknown as postgres.Sql);
        return orm;
      },
    });
  }) as Promise<T>;
}
