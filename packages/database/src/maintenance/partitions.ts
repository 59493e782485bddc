import { AppError, addDays } from '@pulsewire/kernel';
import type { Database } from '../client.ts';
import { textArray } from '../writes/array-literals.ts';

export interface PartitionRange {
  /** First day that must have its partition, `YYYY-MM-DD`. */
  readonly from: string;
  /** Number of days from there, at least 1. */
  readonly days: number;
}

/** Name of the partition of one day: `log_events_20260105`. */
export function partitionName(table: string, day: string): string {
  return `${table}_${day.replaceAll('-', '')}`;
}

/**
 * Creates the daily partitions of a table (partitioned by its `day` column) that do not exist yet. Rows of such a day that went to the
 * default partition in the meantime are moved. Safe to run from several processes. Throws AppError `partitions_locked` (retryable) when
 * another session holds locks that some of them need; the others are created.
 */
export async function ensureDailyPartitions(database: Database, table: string, range: PartitionRange): Promise<void> {
  const days = Array.from({ length: range.days }, (_, index) => addDays(range.from, index));
  const wanted = days.map((day) => ({ day, name: partitionName(table, day) }));
  const found = await database.sql<{ name: string }[]>`
    SELECT name FROM unnest(${textArray(wanted.map(({ name }) => name))}::text[]) AS w(name) WHERE to_regclass(name) IS NOT NULL`;
  const known = new Set(found.map(({ name }) => name));
  await eachUnlessLocked(
    table,
    wanted.filter(({ name }) => !known.has(name)),
    ({ day }) => createPartition(database, table, day),
  );
}

async function createPartition(database: Database, table: string, day: string): Promise<void> {
  try {
    // Uses a function of the tables' owner, because the role of this process may lack the right to create tables.
    await withLockRetries(database, `SELECT make_daily_partition('${table}', '${day}')`);
  } catch (error) {
    // Another process created it between our check and our statement.
    if (!['42P07', '23505', '42710'].includes((error as { code?: string }).code ?? '')) throw error;
  }
}

// A statement that waits for a lock on the table blocks all later ones. Behind a long reader it therefore gives up, and the next run tries
// again.
const lockTimeout = '1s';
const triesMax = 2;
// This many partitions that cannot be locked mean that the table itself is locked, for example by a dump: further attempts would only stall
// its readers.
const lockedMax = 3;

async function withLockRetries(database: Database, statement: string): Promise<void> {
  await database.transaction(async ({ sql }) => {
    await sql.unsafe(`SET LOCAL lock_timeout = '${lockTimeout}'`);
    await sql.unsafe(statement);
  });
}

function isLockTimeout(error: unknown): boolean {
  return (error as { code?: string }).code === '55P03';
}

/** Does the work for each partition; a locked one does not stop the others. */
async function eachUnlessLocked<P extends { readonly name: string }>(
  table: string,
  partitions: readonly P[],
  work: (partition: P) => Promise<void>,
): Promise<void> {
  const locked: string[] = [];
  for (const partition of partitions) {
    if (locked.length === lockedMax) break;
    for (let tries = 1; ; tries++) {
      try {
        await work(partition);
        break;
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        if (tries < triesMax) continue;
        locked.push(partition.name);
        break;
      }
    }
  }
  if (locked.length > 0)
    throw new AppError({
      code: 'partitions_locked',
      kind: 'unavailable',
      message: 'Partition maintenance timed out while waiting for a lock',
      retryable: true,
      details: { table, partitions: locked },
    });
}

/**
 * Drops the daily partitions that are entirely before `before`; returns their names. Only rows in the default partition are deleted row by
 * row: their days had no partition in time, so dropping partitions would never remove them. Throws AppError `partitions_locked` (retryable)
 * when another session holds locks that some of them need; the others are dropped.
 */
export async function dropDailyPartitions(database: Database, table: string, before: string): Promise<readonly string[]> {
  const limit = partitionName(table, before);
  const rows = await database.sql<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = ${table}::regclass AND c.relname ~ ${`^${table}_[0-9]{8}$`} AND c.relname < ${limit} ORDER BY 1`;
  await database.sql.unsafe(`DELETE FROM ${table}_default WHERE day < '${before}'`);
  await eachUnlessLocked(table, rows, ({ name }) =>
    withLockRetries(database, `SELECT drop_daily_partition('${table}', '${name.slice(-8)}')`),
  );
  return rows.map((row) => row.name);
}
