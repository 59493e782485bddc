import type { BulkContext } from './operations/context.ts';

/** An upload without progress for this long is abandoned: its client must start again. */
const uploadMaxSeconds = 15 * 60;
/** An import without progress for this long has lost its worker or its job. */
const graceSeconds = 30;
const keptDays = 90;
const historyKeptDays = 2;
const batchMax = 100;

/**
 * Restarts imports without a worker, deletes abandoned uploads with their tokens, and deletes old operations. Several processes may run it.
 * Returns how many it restarted and deleted.
 */
export async function maintainBulkOperations({
  database,
  requestWork,
}: Pick<BulkContext, 'database' | 'requestWork'>): Promise<{ readonly woken: number; readonly swept: number }> {
  const stuck = await database.sql<{ operation_id: string }[]>`
    SELECT operation_id FROM bulk_operations
    WHERE status = 'in_progress' AND type = 'link_bulk_import' AND moved_at < clock_timestamp() - make_interval(secs => ${graceSeconds})
    ORDER BY moved_at LIMIT ${batchMax}`;
  for (const { operation_id: operationId } of stuck) await database.transaction((tx) => requestWork(tx, operationId));
  const swept = await database.sql`
    WITH gone AS (
      DELETE FROM bulk_operations WHERE operation_id IN (
        SELECT operation_id FROM bulk_operations
        WHERE (status = 'receiving' AND moved_at < clock_timestamp() - make_interval(secs => ${uploadMaxSeconds}))
          OR ended_at < clock_timestamp() - make_interval(days => ${keptDays})
        LIMIT ${batchMax} FOR UPDATE SKIP LOCKED)
      RETURNING operation_id),
    items AS (DELETE FROM bulk_items WHERE operation_id IN (SELECT operation_id FROM gone))
    SELECT 1 FROM gone`;
  await database.sql`DELETE FROM bulk_turns WHERE started_at < clock_timestamp() - make_interval(days => ${historyKeptDays})`;
  return { woken: stuck.length, swept: swept.length };
}
