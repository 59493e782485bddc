import type { Clock } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { operationNotFound } from './operations/errors.ts';
import { endOperation } from './operations/operation.ts';

/**
 * Stops an operation, as an operator may: what is done stays, what waits is not begun, and its tokens go. False when it is over
 * already. Throws AppError `bulk_operation_not_found`.
 */
export function abortOperation(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  operationId: string,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const [row] = await tx.sql<{ status: string }[]>`
      SELECT status FROM bulk_operations WHERE operation_id = ${operationId} AND status <> 'receiving' FOR UPDATE`;
    if (!row) throw operationNotFound();
    if (row.status !== 'in_progress') return false;
    await endOperation(tx, operationId, { status: 'aborted', errorCode: null, at: clock.now() });
    // Connections that were imported stay, and so do the turns that follow from them.
    await tx.sql`DELETE FROM bulk_turns WHERE operation_id = ${operationId} AND started_at IS NULL AND item IS NOT NULL`;
    return true;
  });
}
