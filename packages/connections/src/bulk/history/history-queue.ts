import { and, eq, gt, isNull, type SQL } from 'drizzle-orm';
import { plainArray, run, type Executor, type Tx } from '@pulsewire/database';
import type { HistoryLimit } from '@pulsewire/providers';
import { queuedHistory } from '../../model/bulk-tables.ts';

/** Historical pulls that wait for the same quota: those of one team at one provider. They are rows of `bulk_turns`. */
export interface HistoryQueue {
  readonly team_id: string;
  readonly provider: string;
}

/** A historical pull that waits to be started. */
export interface QueuedPull {
  readonly turn_id: string;
  readonly connection_id: string;
  readonly operation_id: string;
  /** Item of a `link_bulk_historical_trigger`; null after an import, whose items are finished. */
  readonly item: number | null;
}

/** After a day an unfinished pull no longer occupies a slot: it may be waiting for a person. */
const unfinishedMaxMs = 24 * 3_600_000;

/** Queues in which a pull waits. Jumps from queue to queue in the index: one queue may hold 100,000 rows. */
export async function listWaitingQueues({ sql }: Executor): Promise<readonly HistoryQueue[]> {
  return sql<HistoryQueue[]>`
    WITH RECURSIVE queues AS (
      (SELECT team_id, provider FROM bulk_turns WHERE started_at IS NULL ORDER BY team_id, provider LIMIT 1)
      UNION ALL
      SELECT n.team_id, n.provider FROM queues q CROSS JOIN LATERAL (
        SELECT team_id, provider FROM bulk_turns WHERE started_at IS NULL AND (team_id, provider) > (q.team_id, q.provider)
        ORDER BY team_id, provider LIMIT 1) n)
    SELECT team_id, provider FROM queues`;
}

const isOf = (queue: HistoryQueue): SQL | undefined =>
  and(eq(queuedHistory.teamId, queue.team_id), eq(queuedHistory.provider, queue.provider));

/** Connections of the queue whose pull occupies a slot. */
export async function listUnfinished({ orm }: Executor, queue: HistoryQueue, now: Date): Promise<readonly string[]> {
  const { connectionId, startedAt, finishedAt } = queuedHistory;
  const since = new Date(now.getTime() - unfinishedMaxMs);
  const isUnfinished = and(isOf(queue), gt(startedAt, since), isNull(finishedAt));
  const rows = await run(orm.select({ connectionId }).from(queuedHistory).where(isUnfinished));
  return rows.map((row) => row.connectionId);
}

/** Frees the slots of these connections. */
export async function markFinished({ sql }: Executor, queue: HistoryQueue, connectionIds: readonly string[], now: Date): Promise<void> {
  if (connectionIds.length === 0) return;
  await sql`
    UPDATE bulk_turns SET finished_at = ${now.toISOString()}
    WHERE team_id = ${queue.team_id} AND provider = ${queue.provider} AND started_at IS NOT NULL AND finished_at IS NULL
      AND connection_id = ANY(${plainArray(connectionIds)}::uuid[])`;
}

// One statement reads the used slots and the next pull at the same moment: a concurrent scheduler either counts the pull that the first
// one started, or picks the same pull and finds it taken.
async function findNext({ sql }: Tx, queue: HistoryQueue, limit: HistoryLimit, now: Date): Promise<QueuedPull | null> {
  const since = new Date(now.getTime() - (limit.kind === 'rate' ? limit.perMs : unfinishedMaxMs)).toISOString();
  const [row] = await sql<QueuedPull[]>`
    SELECT turn_id, connection_id, operation_id, item FROM bulk_turns
    WHERE team_id = ${queue.team_id} AND provider = ${queue.provider} AND started_at IS NULL AND ${limit.pulls} > (
      SELECT count(*) FROM bulk_turns
      WHERE team_id = ${queue.team_id} AND provider = ${queue.provider} AND started_at > ${since}
        AND (${limit.kind === 'rate'} OR finished_at IS NULL))
    ORDER BY turn_id LIMIT 1`;
  return row ?? null;
}

/** Locks the operation of a pull; call it before the pull itself is written, as an abort does. */
export async function lockOperation({ sql }: Tx, { item, operation_id: operationId }: QueuedPull): Promise<void> {
  if (item !== null) await sql`SELECT 1 FROM bulk_operations WHERE operation_id = ${operationId} FOR UPDATE`;
}

/** Marks the pull as started; false when another process did. */
export async function markStarted({ orm }: Tx, pull: QueuedPull, now: Date): Promise<boolean> {
  const { turnId, startedAt } = queuedHistory;
  const isWaiting = and(eq(turnId, BigInt(pull.turn_id)), isNull(startedAt));
  const { count } = await run(orm.update(queuedHistory).set({ startedAt: now }).where(isWaiting));
  return count > 0;
}

/** Takes the next pull of the queue. Null when nothing waits, or the limit is reached. */
export async function takeNext(tx: Tx, queue: HistoryQueue, limit: HistoryLimit, now: Date): Promise<QueuedPull | null> {
  for (;;) {
    const next = await findNext(tx, queue, limit, now);
    if (!next) return null;
    await lockOperation(tx, next);
    if (await markStarted(tx, next, now)) return next;
  }
}
