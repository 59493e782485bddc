import { errorCode, isAppError } from '@pulsewire/kernel';
import { countFailure, endOperation } from '../operation-status/progress.ts';
import type { ImportContext } from '../operations/context.ts';
import { importBatch } from './import-batch.ts';

/** A job ends after this long and queues the next one, so that a shutdown never waits for 100,000 recipes. */
const sliceMs = 20_000;
/** After this many failed jobs without a batch in between, the operation itself is broken. */
const failuresMax = 8;

/** Errors that a retry does not fix. */
const finalCodes: ReadonlySet<string> = new Set(['team_credential_missing', 'provider_unknown']);

async function recordFailure(context: ImportContext, operationId: string, error: unknown): Promise<boolean> {
  const code = errorCode(error);
  return context.database.transaction(async (tx) => {
    const failures = await countFailure(tx, operationId);
    if (failures === null) return true;
    const isFinal = isAppError(error) && finalCodes.has(error.code);
    if (!isFinal && failures < failuresMax) return false;
    await endOperation(tx, operationId, { status: 'failure', errorCode: code, at: context.clock.now() });
    context.logger.error({ operationId, error }, 'bulk.import_failed');
    return true;
  });
}

/**
 * Processes an import until it ends, the signal aborts or the time of this job is used up; then queues the next job. Several processes may
 * run it: one batch runs at a time, and a killed process loses only its uncommitted batch. Throws the error of a batch, so that the job is
 * retried.
 */
export async function runImport(context: ImportContext, operationId: string, signal: AbortSignal): Promise<void> {
  const endMs = context.clock.monotonicMs() + sliceMs;
  try {
    while (!signal.aborted && context.clock.monotonicMs() < endMs) {
      const state = await importBatch(context, operationId, signal);
      if (state === 'over') return;
      if (state === 'waits') break;
    }
  } catch (error) {
    if (await recordFailure(context, operationId, error)) return;
    throw error;
  }
  await context.database.transaction((tx) => context.requestWork(tx, operationId));
}
