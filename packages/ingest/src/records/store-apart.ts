import { errorCode } from '@pulsewire/kernel';
import { isDataError, type Tx } from '@pulsewire/database';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import type { IngestContext } from '../context/context.ts';

/**
 * Runs `work` in a transaction with events. When Postgres refuses values of it, nothing is left of it, and it runs once more with `isApart`:
 * then it must do one thing after the other and set aside what is refused. Any number of items may be bad; the rest is stored once.
 */
export async function storeApart<T>(
  { database, logger, metrics }: Pick<IngestContext, 'database' | 'logger' | 'metrics'>,
  facts: { readonly provider: string; readonly connectionId?: string; readonly pushId?: string },
  work: (tx: Tx, emit: Emit, isApart: boolean) => Promise<T>,
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
