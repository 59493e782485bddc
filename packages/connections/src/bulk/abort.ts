import { and, eq, isNotNull, isNull, ne } from 'drizzle-orm';
import type { Clock } from '@pulsewire/kernel';
import { run, type Database } from '@pulsewire/database';
import { bulkOperations, queuedHistory } from '../model/bulk-tables.ts';
import { endOperation } from './operation-status/progress.ts';
import { operationNotFound } from './operations/errors.ts';

/**
 * Stops an operation: finished items stay, pending items are not started, and their tokens are deleted. Returns false when it has already
 * ended. Throws AppError `bulk_operation_not_found`.
 */
export function abortOperation(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  operationId: string,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const { status } = bulkOperations;
    const isVisible = and(eq(bulkOperations.operationId, operationId), ne(status, 'receiving'));
    const [row] = await run(tx.orm.select({ status }).from(bulkOperations).where(isVisible).for('update'));
    if (!row) throw operationNotFound();
    if (row.status !== 'in_progress') return false;
    await endOperation(tx, operationId, { status: 'aborted', errorCode: null, at: clock.now() });
    // Imported connections stay, and so do their queued historical pulls.
    const isWaiting = and(eq(queuedHistory.operationId, operationId), isNull(queuedHistory.startedAt), isNotNull(queuedHistory.item));
    await run(tx.orm.delete(queuedHistory).where(isWaiting));
    return true;
  });
}
