import type { SummaryRemoval } from '@pulsewire/contract';
import { plainArray, type Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import { emitSummariesRemoved } from '../model/emit-removed.ts';
import type { RecordBatch } from '../model/types.ts';
import { writeReceipt } from './write-summaries.ts';

/**
 * Removes summaries that the provider deleted, and the streams of workouts among them; returns how many summaries existed. Summaries
 * received at this version or later stay. The receipt prevents older responses from restoring removed ones.
 */
export async function removeSummaries(tx: Tx, emit: Emit, batch: RecordBatch, removals: readonly SummaryRemoval[]): Promise<number> {
  const { owner, version } = batch;
  const ids = [...new Set(removals.map(({ id }) => id))].sort();
  const all = plainArray(ids);
  const removed = await tx.sql<{ id: string }[]>`
    DELETE FROM summaries s WHERE s.id = ANY(${all}::uuid[]) AND s.user_id = ${owner.userId} AND s.team_id = ${owner.teamId} AND s.version < ${version.toString()}::bigint
      AND NOT EXISTS (
        SELECT 1 FROM summary_receipts r
        WHERE r.user_id = ${owner.userId} AND r.version >= ${version.toString()}::bigint AND NOT r.is_removal AND s.id = ANY(r.ids))
    RETURNING s.id`;
  // Compared by the stream's own version: a stream may have been received after the removal, and then its workout will be, too.
  await tx.sql`DELETE FROM workout_streams WHERE workout_id = ANY(${all}::uuid[]) AND user_id = ${owner.userId} AND version < ${version.toString()}::bigint`;
  await writeReceipt(tx, batch, ids, true);
  emitSummariesRemoved(
    emit,
    batch,
    removed.map(({ id }) => id),
  );
  return removed.count;
}
