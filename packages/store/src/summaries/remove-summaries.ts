import type { SummaryRemoval } from '@pulsewire/contract';
import { plainArray, type Tx } from '@pulsewire/database';
import type { RecordBatch } from '../types.ts';
import { leaveReceipt } from './write-summaries.ts';

/**
 * Removes summaries that the provider took back, and the streams of workouts among them; gives how many there were. One that
 * was received later stays; an answer from before the removal does not bring one back.
 */
export async function removeSummaries(
  tx: Tx,
  batch: Pick<RecordBatch, 'owner' | 'version'>,
  removals: readonly SummaryRemoval[],
): Promise<number> {
  if (removals.length === 0) return 0;
  const { owner, version } = batch;
  const ids = [...new Set(removals.map(({ id }) => id))].sort();
  const all = plainArray(ids);
  await tx.sql`SELECT pg_advisory_xact_lock(hashtextextended(${owner.userId}, 1))`;
  const removed = await tx.sql<{ id: string }[]>`
    DELETE FROM summaries s WHERE s.id = ANY(${all}::uuid[]) AND s.user_id = ${owner.userId} AND s.team_id = ${owner.teamId} AND s.version <= ${version.toString()}::bigint
      AND NOT EXISTS (SELECT 1 FROM summary_receipts r WHERE r.user_id = ${owner.userId} AND r.version > ${version.toString()}::bigint AND s.id = ANY(r.ids))
    RETURNING s.id`;
  const gone = plainArray(removed.map(({ id }) => id));
  await tx.sql`DELETE FROM workout_streams WHERE workout_id = ANY(${gone}::uuid[]) AND user_id = ${owner.userId}`;
  await leaveReceipt(tx, batch, ids);
  return removed.length;
}
