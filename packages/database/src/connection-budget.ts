import type { Executor } from './client.ts';

/** How many connections a process may still open at this server. */
export interface ConnectionBudget {
  /** Connections that roles without special rights may have together. */
  readonly limit: number;
  /** Those of other processes. */
  readonly others: number;
}

/** Compares with what other processes have open now; those of this pool are left out. */
export async function readConnectionBudget({ sql }: Executor): Promise<ConnectionBudget> {
  const [row] = await sql<{ limit: number; others: number }[]>`
    SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) AS "limit",
      (SELECT count(*)::int FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND application_name <> current_setting('application_name')) AS others`;
  return { limit: row?.limit ?? 0, others: row?.others ?? 0 };
}
