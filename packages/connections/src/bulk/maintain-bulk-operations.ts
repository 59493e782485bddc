import { and, eq, lt, sql } from 'drizzle-orm';
import { run } from '@pulsewire/database';
import { bulkOperations, queuedHistory } from '../model/bulk-tables.ts';
import { sweepOperations } from './operation-status/progress.ts';
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
  const { operationId: id, status, type, movedAt } = bulkOperations;
  const isStill = lt(movedAt, sql`clock_timestamp() - make_interval(secs => ${graceSeconds})`);
  // The status is a literal, as in the condition of the index.
  const isStuck = and(sql`${status} = 'in_progress'`, eq(type, 'link_bulk_import'), isStill);
  const stuck = await run(database.orm.select({ operationId: id }).from(bulkOperations).where(isStuck).orderBy(movedAt).limit(batchMax));
  for (const { operationId } of stuck) await database.transaction((tx) => requestWork(tx, operationId));
  const swept = await sweepOperations(database, { uploadMaxSeconds, keptDays }, batchMax);
  const keptFrom = sql`clock_timestamp() - make_interval(days => ${historyKeptDays})`;
  await run(database.orm.delete(queuedHistory).where(lt(queuedHistory.startedAt, keptFrom)));
  return { woken: stuck.length, swept };
}
