import { and, eq, sql } from 'drizzle-orm';
import { errorCode, exponentialDelayMs, sleep, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';
import { isDataError, run, type Database, type Tx } from '@pulsewire/database';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import { openBatch, type BatchCipher } from '../model/seal-batch.ts';
import { phoneBatches } from '../model/tables.ts';
import { applyBatch } from './apply-batch.ts';
import type { AppliedBatch } from './apply-items.ts';
import { claimBatch, type ClaimedBatch } from './claim-batch.ts';

export interface BatchWorkerOptions {
  readonly database: Database;
  readonly cipher: BatchCipher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Batches at once, each of another user. Default 4. */
  readonly concurrency?: number;
  /** How long an idle worker waits before it polls again. Default 500 ms. */
  readonly idleMs?: number;
}

/** Processes the batches that phones have sent. */
export interface BatchWorker {
  /** Until the signal aborts; a batch in progress is finished. */
  run(signal: AbortSignal): Promise<void>;
  /** Processes one batch. Returns false when none is due. */
  workOne(): Promise<boolean>;
}

const attemptsMax = 10;
const [retryBaseMs, retryMaxMs] = [5000, 600_000];

const isHeld = ({ batchId, attempts }: ClaimedBatch) =>
  and(eq(phoneBatches.batchId, batchId), eq(phoneBatches.attempts, attempts), sql`${phoneBatches.state} = 'received'`);

export function createBatchWorker(options: BatchWorkerOptions): BatchWorker {
  const { database, cipher, clock, logger, metrics, concurrency = 4, idleMs = 500 } = options;

  /** The end of a batch commits with its records; null: another worker has taken it over. */
  async function settle(tx: Tx, emit: Emit, claimed: ClaimedBatch, body: Buffer, isApart: boolean): Promise<AppliedBatch | null> {
    const [held] = await run(
      tx.orm
        .select({ one: sql`1` })
        .from(phoneBatches)
        .where(isHeld(claimed))
        .for('update'),
    );
    if (!held) return null;
    const applied = await applyBatch(tx, emit, claimed, body, isApart);
    const { errorCode: code, leftOut } = applied;
    const at = clock.now().toISOString();
    await run(
      tx.orm
        .update(phoneBatches)
        .set({ state: code === null ? 'done' : 'failed', finishedAt: at, errorCode: code, leftOut })
        .where(eq(phoneBatches.batchId, claimed.batchId)),
    );
    return applied;
  }

  async function apply(claimed: ClaimedBatch): Promise<AppliedBatch | null> {
    const body = await openBatch(cipher, claimed, claimed.body);
    try {
      return await withEvents(database, (tx, emit) => settle(tx, emit, claimed, body, false));
    } catch (error) {
      if (!isDataError(error)) throw error;
      metrics.count('ingest_refusals_total', { provider: claimed.provider, code: errorCode(error) });
      return withEvents(database, (tx, emit) => settle(tx, emit, claimed, body, true));
    }
  }

  async function postpone(claimed: ClaimedBatch, error: unknown): Promise<void> {
    const now = clock.now().getTime();
    const isGivenUp = claimed.attempts >= attemptsMax;
    const dueAt = new Date(now + exponentialDelayMs(claimed.attempts - 1, retryBaseMs, retryMaxMs)).toISOString();
    const end = isGivenUp ? { state: 'failed' as const, finishedAt: new Date(now).toISOString() } : { dueAt };
    await run(
      database.orm
        .update(phoneBatches)
        .set({ ...end, errorCode: errorCode(error) })
        .where(isHeld(claimed)),
    );
  }

  function report({ batchId, userId, provider }: ClaimedBatch, outcome: string, leftOut: Readonly<Record<string, number>>): void {
    metrics.count('phone_batches_total', { provider, outcome });
    for (const [reason, count] of Object.entries(leftOut)) metrics.count('phone_items_left_out_total', { provider, reason }, count);
    logger.info({ batchId, userId, provider, outcome, leftOut }, 'phone_batch.applied');
  }

  async function workOne(): Promise<boolean> {
    const claimed = await claimBatch(database, clock.now());
    if (!claimed) return false;
    try {
      const applied = await apply(claimed);
      if (applied) report(claimed, applied.errorCode ?? 'done', applied.leftOut);
    } catch (error) {
      logger.warn(
        { batchId: claimed.batchId, userId: claimed.userId, attempts: claimed.attempts, errorCode: errorCode(error) },
        'phone_batch.failed',
      );
      await postpone(claimed, error);
      report(claimed, claimed.attempts >= attemptsMax ? 'given_up' : 'retried', {});
    }
    return true;
  }

  async function workUntilAborted(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const hasWorked = await workOne().catch((error: unknown) => {
        if (!signal.aborted) logger.warn({ errorCode: errorCode(error) }, 'phone_batches.failed');
        return false;
      });
      if (!hasWorked) await sleep(idleMs, signal);
    }
  }

  return {
    workOne,
    async run(signal) {
      await Promise.all(Array.from({ length: concurrency }, () => workUntilAborted(signal)));
    },
  };
}
