import { and, eq, gt, isNull, sql as fragment } from 'drizzle-orm';
import { run, type Executor, type Tx } from '@pulsewire/database';
import { bulkItems, bulkOperations } from '../../model/bulk-tables.ts';

const isRunning = (operationId: string) => and(eq(bulkOperations.operationId, operationId), eq(bulkOperations.status, 'in_progress'));

/** Begins an operation that starts the historical pulls of users. */
export async function beginTrigger(
  { orm }: Tx,
  trigger: {
    readonly operationId: string;
    readonly teamId: string;
    readonly provider: string;
    readonly total: number;
    readonly logoBaseUrl: string;
  },
  now: Date,
): Promise<void> {
  const begun = { type: 'link_bulk_historical_trigger', status: 'in_progress', startedAt: now } as const;
  await run(orm.insert(bulkOperations).values({ ...trigger, ...begun, movedAt: fragment`clock_timestamp()` }));
}

/** Counts the items that have an outcome before the work begins. With an outcome of all, also of none, the operation ends as it began. */
export async function countSettled({ sql }: Tx, operationId: string): Promise<void> {
  await sql`
    UPDATE bulk_operations o SET processed = d.done, status = CASE WHEN d.done = o.total THEN 'success' ELSE o.status END,
      ended_at = CASE WHEN d.done = o.total THEN o.started_at END
    FROM (SELECT count(*) AS done FROM bulk_items WHERE operation_id = ${operationId} AND outcome IS NOT NULL) d
    WHERE o.operation_id = ${operationId} AND o.status = 'in_progress'`;
}

/** Counts processed items, and ends the operation with the last one. */
export async function countProcessed({ orm }: Tx, operationId: string, count: number, at: Date): Promise<{ readonly isOver: boolean }> {
  const { processed, total, status } = bulkOperations;
  const isOver = fragment`${processed} + ${count} >= ${total}`;
  const [row] = await run(
    orm
      .update(bulkOperations)
      .set({
        processed: fragment`${processed} + ${count}`,
        movedAt: fragment`clock_timestamp()`,
        status: fragment`CASE WHEN ${isOver} THEN 'success' ELSE ${status} END`,
        endedAt: fragment`CASE WHEN ${isOver} THEN ${at.toISOString()}::timestamptz END`,
      })
      .where(isRunning(operationId))
      .returning({ isOver: fragment<boolean>`${processed} >= ${total}` }),
  );
  return { isOver: row?.isOver ?? true };
}

/** Counts a job that broke. Returns how many have broken without a batch in between; null when the operation is over. */
export async function countFailure({ orm }: Tx, operationId: string): Promise<number | null> {
  const { failures } = bulkOperations;
  const counted = orm.update(bulkOperations).set({ failures: fragment`${failures} + 1` });
  const [row] = await run(counted.where(isRunning(operationId)).returning({ failures }));
  return row?.failures ?? null;
}

/** A batch was stored: the jobs that broke before it do not count any more. */
export async function clearFailures({ orm }: Tx, operationId: string): Promise<void> {
  const hasFailed = and(isRunning(operationId), gt(bulkOperations.failures, 0));
  await run(orm.update(bulkOperations).set({ failures: 0 }).where(hasFailed));
}

/** Ends an operation before all of its items are processed, and deletes the tokens of the others. */
export async function endOperation(
  { orm }: Tx,
  operationId: string,
  end: { readonly status: 'failure' | 'aborted'; readonly errorCode: string | null; readonly at: Date },
): Promise<void> {
  const ended = { status: end.status, errorCode: end.errorCode, endedAt: end.at, movedAt: fragment`clock_timestamp()` };
  await run(orm.update(bulkOperations).set(ended).where(isRunning(operationId)));
  const isOpen = and(eq(bulkItems.operationId, operationId), isNull(bulkItems.outcome));
  await run(orm.update(bulkItems).set({ accessToken: null, refreshToken: null, providerUserId: null }).where(isOpen));
}

/** How long operations are kept. */
export interface Retention {
  readonly uploadMaxSeconds: number;
  readonly keptDays: number;
}

/** Deletes at most `limit` abandoned uploads and old operations with their items. Returns how many. */
export async function sweepOperations({ sql }: Executor, { uploadMaxSeconds, keptDays }: Retention, limit: number): Promise<number> {
  const swept = await sql`
    WITH gone AS (
      DELETE FROM bulk_operations WHERE operation_id IN (
        SELECT operation_id FROM bulk_operations
        WHERE (status = 'receiving' AND moved_at < clock_timestamp() - make_interval(secs => ${uploadMaxSeconds}))
          OR ended_at < clock_timestamp() - make_interval(days => ${keptDays})
        LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING operation_id),
    items AS (DELETE FROM bulk_items WHERE operation_id IN (SELECT operation_id FROM gone))
    SELECT 1 FROM gone`;
  return swept.length;
}
