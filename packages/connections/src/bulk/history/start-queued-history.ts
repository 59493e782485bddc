import { and, eq, sql } from 'drizzle-orm';
import { errorCode, type Clock, type Logger } from '@pulsewire/kernel';
import { run, type Database, type Executor, type Tx } from '@pulsewire/database';
import type { Connector, HistoryLimit } from '@pulsewire/providers';
import { bulkItems, queuedHistory } from '../../model/bulk-tables.ts';
import { countProcessed } from '../operation-status/progress.ts';
import {
  listUnfinished,
  listWaitingQueues,
  lockOperation,
  markFinished,
  markStarted,
  takeNext,
  type HistoryQueue,
  type QueuedPull,
} from './history-queue.ts';

export interface HistoryQueueContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly connectorFor: (slug: string) => Connector | undefined;
  /** Plans the connection's whole history in the transaction that starts it. False when the connection cannot be pulled any more. */
  readonly startHistory: (tx: Tx, connectionId: string) => Promise<boolean>;
  /** Those of these connections whose history is not complete. */
  readonly openHistories: (executor: Executor, connectionIds: readonly string[]) => Promise<readonly string[]>;
}

const defaultLimit: HistoryLimit = { kind: 'rate', pulls: 8, perMs: 60_000 };

async function freeSlots({ database, clock, openHistories }: HistoryQueueContext, queue: HistoryQueue): Promise<void> {
  const now = clock.now();
  const started = await listUnfinished(database, queue, now);
  const open = new Set(await openHistories(database, started));
  const finished = started.filter((connectionId) => !open.has(connectionId));
  await markFinished(database, queue, finished, now);
}

/** Stores the outcome with the item. `reason`: why the pull did not start; it then occupies no slot. */
async function saveOutcome(tx: Tx, pull: QueuedPull, reason: string | null, now: Date): Promise<void> {
  const { turnId, startedAt } = queuedHistory;
  if (reason !== null)
    await run(
      tx.orm
        .update(queuedHistory)
        .set({ finishedAt: sql`${startedAt}` })
        .where(eq(turnId, BigInt(pull.turn_id))),
    );
  if (pull.item === null) return;
  const isItem = and(eq(bulkItems.operationId, pull.operation_id), eq(bulkItems.item, pull.item));
  await run(
    tx.orm
      .update(bulkItems)
      .set({ outcome: reason === null ? 'triggered' : 'failed', reason })
      .where(isItem),
  );
  await countProcessed(tx, pull.operation_id, 1, now);
}

async function startNext(context: HistoryQueueContext, queue: HistoryQueue, limit: HistoryLimit): Promise<boolean> {
  const now = context.clock.now();
  let taken: QueuedPull | null = null;
  try {
    return await context.database.transaction(async (tx) => {
      taken = await takeNext(tx, queue, limit, now);
      if (!taken) return false;
      const isStarted = await context.startHistory(tx, taken.connection_id);
      await saveOutcome(tx, taken, isStarted ? null : 'connection_not_active', now);
      return true;
    });
  } catch (error) {
    const failed = taken as QueuedPull | null;
    if (failed === null) throw error;
    // A pull that cannot be planned must not block the queue behind it.
    context.logger.error({ connectionId: failed.connection_id, error }, 'bulk.history_start_failed');
    await context.database.transaction(async (tx) => {
      await lockOperation(tx, failed);
      if (await markStarted(tx, failed, now)) await saveOutcome(tx, failed, errorCode(error), now);
    });
    return true;
  }
}

/**
 * Starts queued historical pulls as fast as the limit of each provider allows, at most `limit`. Several processes may run it at once,
 * and it may be stopped anywhere. Returns how many it started.
 */
export async function startQueuedHistory(
  context: HistoryQueueContext,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
): Promise<number> {
  let started = 0;
  for (const queue of await listWaitingQueues(context.database)) {
    const { historyLimit = defaultLimit } = context.connectorFor(queue.provider) ?? {};
    if (historyLimit.kind === 'concurrency') await freeSlots(context, queue);
    while (started < limit && !signal.aborted && (await startNext(context, queue, historyLimit))) started += 1;
  }
  return started;
}
