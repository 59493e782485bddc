import { errorCode, isAppError } from '@pulsewire/kernel';
import type { ImportContext } from '../operations/context.ts';
import { endOperation } from '../operations/operation.ts';
import { importBatch } from './import-batch.ts';

/** A job ends after so long and asks for the next one, so that a stop or a new version never waits for 100,000 recipes. */
const sliceMs = 20_000;
/** Jobs in a row that threw without a batch between them: then it is the operation that is broken, and not the moment. */
const failuresMax = 8;

/** What no repeat puts right. */
const finalCodes: ReadonlySet<string> = new Set(['team_credential_missing', 'provider_unknown']);

async function noteFailure(context: ImportContext, operationId: string, error: unknown): Promise<boolean> {
  const code = errorCode(error);
  return context.database.transaction(async (tx) => {
    const [row] = await tx.sql<{ failures: number }[]>`
      UPDATE bulk_operations SET failures = failures + 1 WHERE operation_id = ${operationId} AND status = 'in_progress' RETURNING failures`;
    if (!row) return true;
    const isFinal = isAppError(error) && finalCodes.has(error.code);
    if (!isFinal && row.failures < failuresMax) return false;
    await endOperation(tx, operationId, { status: 'failure', errorCode: code, at: context.clock.now() });
    context.logger.error({ operation_id: operationId, error }, 'bulk.import_failed');
    return true;
  });
}

/**
 * Works on an import until it is over, the signal aborts or its slice of time is used up; then asks for the next job. Any number of
 * processes may run it: batches take turns, and a killed one leaves what its last committed batch left. Throws what a batch threw,
 * for the job to be repeated.
 */
export async function runImport(context: ImportContext, operationId: string, signal: AbortSignal): Promise<void> {
  const endMs = context.clock.monotonicMs() + sliceMs;
  try {
    while (!signal.aborted && context.clock.monotonicMs() < endMs) {
      if ((await importBatch(context, operationId)) === 'over') return;
    }
  } catch (error) {
    if (await noteFailure(context, operationId, error)) return;
    throw error;
  }
  await context.database.transaction((tx) => context.requestWork(tx, operationId));
}
