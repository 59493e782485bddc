import { eq, sql } from 'drizzle-orm';
import { errorCode, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';
import {
  createWorkerLoop,
  databaseNow,
  isDataError,
  retryOrSetAside,
  run,
  type Database,
  type Tx,
  type WorkOutcome,
} from '@pulsewire/database';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import { openBatch, type BatchCipher } from '../model/seal-batch.ts';
import { phoneBatches } from '../model/tables.ts';
import { buildChanged, type AppliedBatch, type Changes } from './apply-items.ts';
import { batchLeaseMs, batchQueue, claimBatches, claimNext, hasNext, type ClaimedBatch, type LeasedBatch } from './claim-batch.ts';
import { storeBatch } from './store-batch.ts';

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
  /** Processes the oldest due batch, and with it those of the same phone that wait behind it. Returns their number. */
  workOldest(): Promise<number>;
}

const retry = { attemptsMax: 10, backoffMs: 5000, backoffMaxMs: 600_000 };
/** A batch in progress is finished at a stop, unless it takes longer than this. */
const graceMs = 8000;

interface SettleOptions {
  readonly isTogether: boolean;
  readonly isolatesRefused: boolean;
}

interface SettledBatch {
  readonly batch: ClaimedBatch;
  readonly applied: AppliedBatch;
}

export function createBatchWorker(options: BatchWorkerOptions): BatchWorker {
  const { database, cipher, clock, logger, metrics, concurrency = 4, idleMs = 500 } = options;

  let settledCount = 0;

  async function finish(tx: Tx, claimed: ClaimedBatch, { errorCode: code, leftOut }: AppliedBatch): Promise<void> {
    const { attempts } = claimed;
    const state = code === null ? ('done' as const) : ('failed' as const);
    const finishedAt = clock.now().toISOString();
    const isIt = eq(phoneBatches.batchId, claimed.batchId);
    await run(tx.orm.update(phoneBatches).set({ state, finishedAt, errorCode: code, leftOut, attempts }).where(isIt));
  }

  /** The end of batches commits with their records. Empty: another worker has taken the claimed one over. */
  async function settle(
    tx: Tx,
    emit: Emit,
    claimed: LeasedBatch,
    { isTogether, isolatesRefused }: SettleOptions,
  ): Promise<readonly SettledBatch[]> {
    if (!(await batchQueue.lock(tx, claimed.row))) return [];
    const next = isTogether ? await claimNext(tx, claimed) : [];
    const settled: SettledBatch[] = [];
    const changes: Changes[] = [];
    for (const batch of [claimed, ...next.map((one) => ({ ...one, attempts: 1 }))]) {
      const stored = await storeBatch(tx, emit, clock, batch, await openBatch(cipher, batch, batch.body), isolatesRefused);
      if (stored.changes) changes.push(stored.changes);
      await finish(tx, batch, stored);
      settled.push({ batch, applied: stored });
    }
    await buildChanged(tx, emit, { ...claimed, receivedAt: new Date(claimed.receivedAt) }, changes, isolatesRefused);
    return settled;
  }

  /** Batches that wait together are applied together, which builds the summaries of a day once; after any failure each is applied alone. */
  async function apply(claimed: LeasedBatch): Promise<readonly SettledBatch[]> {
    const settled = (how: SettleOptions) => withEvents(database, (tx, emit) => settle(tx, emit, claimed, how));
    if (claimed.attempts === 1 && (await hasNext(database, claimed))) {
      try {
        return await settled({ isTogether: true, isolatesRefused: false });
      } catch (error) {
        logger.info({ batchId: claimed.batchId, userId: claimed.userId, errorCode: errorCode(error) }, 'phone_batches.separated');
      }
    }
    try {
      return await settled({ isTogether: false, isolatesRefused: false });
    } catch (error) {
      if (!isDataError(error)) throw error;
      metrics.count('ingest_refusals_total', { provider: claimed.provider, code: errorCode(error) });
      return settled({ isTogether: false, isolatesRefused: true });
    }
  }

  function report({ batchId, userId, provider }: ClaimedBatch, outcome: string, leftOut: Readonly<Record<string, number>>): void {
    metrics.count('phone_batches_total', { provider, outcome });
    // Without the name in brackets, of which there is no end.
    for (const [reason, count] of Object.entries(leftOut))
      metrics.count('phone_items_left_out_total', { provider, reason: reason.replace(/ .*/, '') }, count);
    logger.info({ batchId, userId, provider, outcome, leftOut }, 'phone_batch.applied');
  }

  async function attempt(claimed: LeasedBatch): Promise<WorkOutcome> {
    const settled = await apply(claimed);
    for (const { batch, applied } of settled) report(batch, applied.errorCode ?? 'done', applied.leftOut);
    settledCount += settled.length;
    const [first] = settled;
    if (!first) return 'lost';
    return first.applied.errorCode === null ? 'done' : 'failed';
  }

  async function settleFailure(claimed: LeasedBatch, error: unknown): Promise<WorkOutcome> {
    const { row, attempts, batchId, userId } = claimed;
    logger.warn({ batchId, userId, attempts, errorCode: errorCode(error) }, 'phone_batch.failed');
    const setAside = { state: 'failed', finishedAt: databaseNow } as const;
    const outcome = await retryOrSetAside(batchQueue, database, retry, { row, attempts, error, setAside });
    report(claimed, outcome, {});
    settledCount += 1;
    return outcome;
  }

  /** Makes batches due again that a process gave up because its statements did not fit the schema: it was of the version before. */
  async function reopenUnfit(): Promise<void> {
    const { state, errorCode: code } = phoneBatches;
    const reopened = await run(
      database.orm
        .update(phoneBatches)
        .set({ state: 'received', attempts: 0, dueAt: databaseNow, finishedAt: null, errorCode: null })
        .where(sql`${state} = 'failed' AND ${code} LIKE '42%'`)
        .returning({ batchId: phoneBatches.batchId }),
    );
    if (reopened.length > 0) logger.info({ count: reopened.length }, 'phone_batches.reopened');
  }

  const loop = createWorkerLoop<LeasedBatch>({
    queue: 'phone_batches',
    logger,
    metrics,
    concurrency,
    pollMs: idleMs,
    leaseMs: batchLeaseMs,
    graceMs,
    claim: (limit) => claimBatches(database, limit),
    renew: ({ row }) => batchQueue.renew(database, row, batchLeaseMs),
    release: ({ row }) => batchQueue.release(database, row),
    attempt,
    settleFailure,
  });

  return {
    async workOldest() {
      const before = settledCount;
      return (await loop.workOne(new AbortController().signal)) ? Math.max(1, settledCount - before) : 0;
    },
    async run(signal) {
      await reopenUnfit().catch((error: unknown) => logger.warn({ errorCode: errorCode(error) }, 'phone_batches.reopen_failed'));
      await loop.run(signal);
    },
  };
}
