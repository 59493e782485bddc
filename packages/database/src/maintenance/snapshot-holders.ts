import type { Executor } from '../client.ts';

/**
 * A holder of an old snapshot, which keeps Postgres from removing old row versions: frequently updated rows get slower with each update.
 */
export interface SnapshotHolder {
  readonly kind: 'transaction' | 'idle_transaction' | 'replication_slot' | 'prepared_transaction' | 'standby';
  /** Process id of the backend; null when it has none. */
  readonly pid: number | null;
  /** Application, slot, prepared transaction or standby. */
  readonly name: string;
  /** Number of transactions that have started since. */
  readonly ageTransactions: number;
  /** null: unknown. */
  readonly ageSeconds: number | null;
}

/** The holders of old snapshots in this cluster, the oldest first. Sessions of other users are visible only with `pg_read_all_stats`. */
export async function snapshotHolders({ sql }: Executor, limit = 10): Promise<readonly SnapshotHolder[]> {
  const rows = await sql<{ kind: SnapshotHolder['kind']; pid: number | null; name: string; age: number; seconds: number | null }[]>`
    SELECT kind, pid, coalesce(name, '') AS name, age, seconds FROM (
      SELECT CASE WHEN state LIKE 'idle in transaction%' THEN 'idle_transaction' ELSE 'transaction' END AS kind, pid, application_name AS name,
        age(backend_xmin) AS age, extract(epoch FROM clock_timestamp() - xact_start)::float8 AS seconds
      FROM pg_stat_activity WHERE backend_xmin IS NOT NULL AND backend_type = 'client backend' AND pid <> pg_backend_pid()
      UNION ALL
      SELECT 'replication_slot', active_pid, slot_name, greatest(age(xmin), age(catalog_xmin)), NULL
      FROM pg_replication_slots WHERE xmin IS NOT NULL OR catalog_xmin IS NOT NULL
      UNION ALL
      SELECT 'prepared_transaction', NULL, gid, age(transaction), extract(epoch FROM clock_timestamp() - prepared)::float8 FROM pg_prepared_xacts
      UNION ALL
      SELECT 'standby', pid, application_name, age(backend_xmin), NULL FROM pg_stat_replication WHERE backend_xmin IS NOT NULL
    ) h ORDER BY age DESC LIMIT ${limit}`;
  return rows.map(({ kind, pid, name, age, seconds }) => ({ kind, pid, name, ageTransactions: age, ageSeconds: seconds }));
}
