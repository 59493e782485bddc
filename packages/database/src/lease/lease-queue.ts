import { AppError } from '@pulsewire/kernel';
import { and, eq, getTableColumns, lte, sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Executor, Tx } from '../client.ts';
import { afterMs, columnOf, databaseNow, isFree, type LeaseTable, type RowOf, type Values } from './lease-table.ts';
import { run } from '../run.ts';

export interface ClaimOptions {
  readonly leaseMs: number;
  /** Default 1. */
  readonly limit?: number;
  /** Further conditions on the rows. */
  readonly where?: SQL | undefined;
  /** The order of the queue. Default: the longest due first. */
  readonly order?: readonly SQL[];
  /** Condition that joins `rotation.table`, and the time of the last turn in it: groups take turns, first those that have waited longest. */
  readonly rotation?: { readonly table: PgTable; readonly on: SQL; readonly lastTurn: SQL };
  /** Also sets these columns. */
  readonly values?: Record<string, unknown>;
}

/** What is done with the rows of one lease table. Every method is one statement, which compares the epoch of the row. */
export interface LeaseQueue<T extends PgTable> {
  /**
   * Claims due rows that no other worker holds, and skips those that are being claimed. The attempt is counted here, so that a row that
   * kills its worker is eventually given up.
   */
  claim(executor: Executor, options: ClaimOptions): Promise<readonly RowOf<T>[]>;
  /** Claims this row, due or not; waits for its row lock. Null when another worker holds it or it is gone. */
  acquire(executor: Executor, key: string, options: Pick<ClaimOptions, 'leaseMs' | 'where'>): Promise<RowOf<T> | null>;
  /** Extends the lease from now on. False: another worker has taken the row over, or it is finished. */
  renew(executor: Executor, row: RowOf<T>, leaseMs: number): Promise<boolean>;
  /** Locks the row until the transaction ends. False: the holder has lost its lease, and must write nothing. */
  lock(tx: Tx, row: RowOf<T>): Promise<boolean>;
  /** Ends the lease; the row may be claimed at once. The attempt does not count when `isUncounted`. */
  release(executor: Executor, row: RowOf<T>, options?: { readonly isUncounted?: boolean }): Promise<boolean>;
  /**
   * Ends the lease; the row is due after the delay. A row that was made due during the attempt stays so: that request is newer than what the
   * attempt saw.
   */
  retryLater(executor: Executor, row: RowOf<T>, delayMs: number, errorCode: string | null): Promise<boolean>;
  /** Ends the lease and the attempts: the row waits for an operator, with the reason. `values` replace clearing `dueAt`. */
  setAside(executor: Executor, row: RowOf<T>, errorCode: string, values?: Values<T>): Promise<boolean>;
  /** Ends the row with the work of its transaction: deletes it, or with `values` updates it. False: roll back, the lease was lost. */
  finish(tx: Executor, row: RowOf<T>, values?: Values<T>): Promise<boolean>;
}

/** The lease of a row was lost: the transaction of its holder must not commit. */
export const leaseTaken = (): AppError =>
  new AppError({ code: 'work_lease_lost', kind: 'conflict', message: 'Another worker has taken this over, or it was removed' });

/** A time as drizzle returned it. */
const instantOf = (value: unknown): string | null => (value instanceof Date ? value.toISOString() : ((value as string | null) ?? null));

export function createLeaseQueue<T extends PgTable>(definition: LeaseTable<T>): LeaseQueue<T> {
  const { isOpen } = definition;
  const table: PgTable = definition.table;
  const key = columnOf(definition, definition.key);
  const leaseUntil = columnOf(definition, definition.leaseUntil);
  const epoch = columnOf(definition, definition.epoch);
  const dueAt = definition.dueAt === undefined ? null : columnOf(definition, definition.dueAt);
  const attempts = definition.attempts === undefined ? null : columnOf(definition, definition.attempts);
  const isLeasedByDue = definition.leaseUntil === definition.dueAt;

  const heldBy = (row: RowOf<T>) =>
    and(eq(key, row[definition.key]), eq(epoch, row[definition.epoch]), isOpen, sql`${leaseUntil} IS NOT NULL`);
  const taken = ({ leaseMs, values = {} }: Pick<ClaimOptions, 'leaseMs' | 'values'>) => ({
    ...values,
    ...(definition.attempts && { [definition.attempts]: sql`${attempts} + 1` }),
    [definition.epoch]: sql`${epoch} + 1`,
    [definition.leaseUntil]: afterMs(leaseMs),
  });
  const one = { one: sql`1` };
  const errorSet = (code: string | null) => (definition.lastError === undefined ? {} : { [definition.lastError]: code });
  const ended = isLeasedByDue ? {} : { [definition.leaseUntil]: null };

  const update = ({ orm }: Executor, values: Record<string, unknown>, where: SQL | undefined) => orm.update(table).set(values).where(where);
  const take = async (executor: Executor, values: Record<string, unknown>, where: SQL | undefined): Promise<readonly RowOf<T>[]> =>
    run(update(executor, values, where).returning(getTableColumns(table)));
  /** Without the columns of the row, which may be large. */
  const updateHeld = async (executor: Executor, row: RowOf<T>, values: Record<string, unknown>) =>
    (await run(update(executor, values, heldBy(row)).returning(one))).length > 0;

  return {
    async claim(executor, options) {
      if (dueAt === null) throw new AppError({ code: 'lease_table_invalid', kind: 'bug', message: 'Rows of this table are never due' });
      const { limit = 1, where, order = [sql`${dueAt}`], rotation } = options;
      const rows = executor.orm.select({ key: sql`${key}`.as('key') }).from(table);
      const turns = rotation ? [sql`${rotation.lastTurn} NULLS FIRST`] : [];
      const candidates = (rotation ? rows.leftJoin(rotation.table, rotation.on) : rows)
        .where(and(isOpen, lte(dueAt, sql`now()`), isFree(definition), where))
        .orderBy(...turns, ...order)
        .limit(limit)
        .for('update', { of: table, skipLocked: true });
      // An array is built once; IN could run the query again and lock more rows.
      return take(executor, taken(options), sql`${key} = ANY(ARRAY${candidates})`);
    },
    async acquire(executor, value, { leaseMs, where }) {
      const [row] = await take(executor, taken({ leaseMs }), and(eq(key, value), isOpen, isFree(definition), where));
      return row ?? null;
    },
    renew: (executor, row, leaseMs) => updateHeld(executor, row, { [definition.leaseUntil]: afterMs(leaseMs) }),
    async lock({ orm }, row) {
      return (await run(orm.select(one).from(table).where(heldBy(row)).for('update'))).length > 0;
    },
    release(executor, row, { isUncounted = false } = {}) {
      const isCountedDown = isUncounted && definition.attempts !== undefined && definition.attempts !== definition.epoch;
      const uncounted = isCountedDown ? { [definition.attempts]: sql`${attempts} - 1` } : {};
      return updateHeld(executor, row, { ...uncounted, ...(isLeasedByDue ? { [definition.leaseUntil]: databaseNow } : ended) });
    },
    retryLater(executor, row, delayMs, code) {
      if (definition.dueAt === undefined) return updateHeld(executor, row, { ...ended, ...errorSet(code) });
      const seen = instantOf(row[definition.dueAt]);
      // What drizzle returned may lack the microseconds.
      const isUnchanged = sql`date_trunc('milliseconds', ${dueAt}) IS NOT DISTINCT FROM date_trunc('milliseconds', ${seen}::timestamptz)`;
      const due = isLeasedByDue ? afterMs(delayMs) : sql`CASE WHEN ${isUnchanged} THEN ${afterMs(delayMs)} ELSE ${dueAt} END`;
      return updateHeld(executor, row, { ...ended, ...errorSet(code), [definition.dueAt]: due });
    },
    setAside(executor, row, code, values) {
      const none = definition.dueAt === undefined ? {} : { [definition.dueAt]: null };
      return updateHeld(executor, row, { ...ended, ...errorSet(code), ...(values ?? none) });
    },
    async finish(tx, row, values) {
      if (values) return updateHeld(tx, row, { ...ended, ...values });
      return (await run(tx.orm.delete(table).where(heldBy(row)).returning(one))).length > 0;
    },
  };
}
