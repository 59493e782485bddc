import { AppError } from '@pulsewire/kernel';
import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Sql } from '../client.ts';

/** A row of a table, as drizzle reads it. */
export type RowOf<T extends PgTable> = T['$inferSelect'];
/** Name of a column in code. */
export type ColumnOf<T extends PgTable> = keyof RowOf<T> & string;
/** New values of some columns. */
export type Values<T extends PgTable> = { readonly [name in ColumnOf<T>]?: RowOf<T>[name] | SQL };

/**
 * A table whose rows are worked on under a lease: which of its columns mean what. Every user keeps its own table; nothing else about it is
 * known here.
 */
export interface LeaseTable<T extends PgTable> {
  readonly table: T;
  /** The single column that identifies a row. */
  readonly key: ColumnOf<T>;
  /** When a row may be worked on; null in one that waits for an operator. Absent: rows are only acquired by their key. */
  readonly dueAt?: ColumnOf<T>;
  /** When the lease ends. May be `dueAt` itself: a claimed row is then due again when its lease ends. */
  readonly leaseUntil: ColumnOf<T>;
  /** Raised by every claim, so that a former holder is refused. May be `attempts`. */
  readonly epoch: ColumnOf<T>;
  /** How often a row was claimed since it last succeeded. Absent: not counted. */
  readonly attempts?: ColumnOf<T>;
  /** Code of the last failure. */
  readonly lastError?: ColumnOf<T>;
  /** Rows that are not finished, as a literal, so that a partial index is used. Absent: all. */
  readonly isOpen?: SQL;
}

/**
 * No lease is this long. One that ends later was given while the clock of the database was ahead, and would outlast its holder by the
 * difference; it counts as expired.
 */
const leaseMaxInterval = "interval '1 hour'";

/** SQL, for statements that drizzle does not build: whether a row has no lease. */
export function isLeaseFree(query: Sql, column: string) {
  const until = query.unsafe(column);
  return query`(${until} IS NULL OR ${until} <= clock_timestamp() OR ${until} > clock_timestamp() + ${query.unsafe(leaseMaxInterval)})`;
}

/** SQL, for statements that drizzle does not build: the end of a lease that begins now. */
export function leaseEnd(query: Sql, leaseMs: number) {
  return query`clock_timestamp() + make_interval(secs => ${leaseMs / 1000})`;
}

/** The database's clock after a delay. Never the clock of the process: those of two processes differ. */
export const afterMs = (delayMs: number): SQL => sql`clock_timestamp() + make_interval(secs => ${delayMs / 1000})`;

/** The database's clock. */
export const databaseNow: SQL = sql`clock_timestamp()`;

/** A column of a lease table by its name in code. */
export function columnOf<T extends PgTable>({ table }: LeaseTable<T>, name: ColumnOf<T>): PgColumn {
  const column = (getTableColumns(table) as Record<string, PgColumn>)[name];
  if (column) return column;
  throw new AppError({ code: 'lease_table_invalid', kind: 'bug', message: `The lease table has no column ${name}` });
}

/** Whether a row has no lease. `now()` and not `clock_timestamp()`, so that an index can be used. */
export function isFree<T extends PgTable>(definition: LeaseTable<T>): SQL | undefined {
  if (definition.leaseUntil === definition.dueAt) return undefined;
  const until = columnOf(definition, definition.leaseUntil);
  return sql`(${until} IS NULL OR ${until} <= now() OR ${until} > now() + ${sql.raw(leaseMaxInterval)})`;
}
