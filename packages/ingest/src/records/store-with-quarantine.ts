import { errorCode } from '@pulsewire/kernel';
import { isDataError, type Tx } from '@pulsewire/database';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import type { IngestContext } from '../context/context.ts';

/**
 * Runs `work` in a transaction with events. When Postgres refuses a value, the transaction is rolled back and `work` runs once more with
 * `isolatesRefused`: then it must run its statements one by one and quarantine what is refused. However many items are bad, the rest is stored.
 */
export async function storeWithQuarantine<T>(
  { database, logger, metrics }: Pick<IngestContext, 'database' | 'logger' | 'metrics'>,
  facts: { readonly provider: string; readonly connectionId?: string; readonly pushId?: string },
  work: (tx: Tx, emit: Emit, isolatesRefused: boolean) => Promise<T>,
): Promise<T> {
  try {
    return await withEvents(database, (tx, emit) => work(tx, emit, false));
  } catch (error) {
    if (!isDataError(error)) throw error;
    logger.warn({ ...facts, errorCode: errorCode(error) }, 'records.refused');
    metrics.count('ingest_refusals_total', { provider: facts.provider, code: errorCode(error) });
    return withEvents(database, (tx, emit) => work(tx, emit, true));
  }
}
