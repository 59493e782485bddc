import { and, eq, isNotNull } from 'drizzle-orm';
import { run, type Executor, type Tx } from '@pulsewire/database';
import type { PullLane } from '@pulsewire/providers';
import { pullPlans } from '../model/tables.ts';

const interruptionsMax = 3;

/**
 * Puts a connection into the queue of its application's budget: as a whole, or only its history. The one served longest ago is first. A
 * connection that waits already stays in place, and so does one whose turn was interrupted, but only a few times: a connection that needs
 * more than the quota must not block the others. `isInterrupted`: the turn had begun to make calls.
 */
export async function joinQueue(
  { sql }: Executor,
  connectionId: string,
  {
    owner,
    lane,
    isInterrupted,
    now,
  }: { readonly owner: string; readonly lane: PullLane; readonly isInterrupted: boolean; readonly now: Date },
): Promise<void> {
  const at = now.toISOString();
  await sql`
    UPDATE pull_plans SET waits_for = ${lane}, waits_owner = ${owner}, turn_at = NULL,
      turns_cut = CASE WHEN ${lane} = 'live' AND turns_cut < ${interruptionsMax} THEN turns_cut + ${isInterrupted ? 1 : 0} ELSE 0 END,
      queue_at = CASE WHEN ${lane} = 'live' AND turns_cut < ${interruptionsMax} THEN coalesce(served_at, '-infinity') WHEN waits_for = 'backfill' THEN queue_at ELSE ${at}::timestamptz END
    WHERE connection_id = ${connectionId}`;
}

/** Gives a connection that has ever queued its turn at once: a person waits for its live data. */
export async function skipQueue({ orm }: Tx, connectionId: string, now: Date): Promise<void> {
  const turn = { waitsFor: null, turnAt: now.toISOString(), turnLane: 'live' };
  const hasQueued = and(eq(pullPlans.connectionId, connectionId), isNotNull(pullPlans.waitsOwner));
  await run(orm.update(pullPlans).set(turn).where(hasQueued));
}

/** Gives turns to those that have waited longest for a budget, `count` at most, but not to paused ones. Returns them in the queue's order. */
export async function giveTurns(
  { sql }: Tx,
  { provider, owner }: { readonly provider: string; readonly owner: string },
  lane: PullLane,
  count: number,
  atMs: number,
): Promise<readonly string[]> {
  if (count < 1) return [];
  const at = new Date(atMs).toISOString();
  // An UPDATE returns rows in any order, and the first to start takes what quota there is.
  const rows = await sql<{ connection_id: string }[]>`
    WITH chosen AS (
      UPDATE pull_plans SET waits_for = NULL, turn_at = ${at}, turn_lane = ${lane}, next_tick_at = ${at} WHERE connection_id IN (
        SELECT connection_id FROM pull_plans WHERE provider = ${provider} AND waits_owner = ${owner} AND waits_for = ${lane} AND stopped_at IS NULL
          AND (resume_at IS NULL OR resume_at <= ${at}) AND (${lane} = 'live' OR backfill_resume_at IS NULL OR backfill_resume_at <= ${at})
        ORDER BY queue_at, connection_id LIMIT ${count} FOR UPDATE SKIP LOCKED)
      RETURNING connection_id, queue_at)
    SELECT connection_id FROM chosen ORDER BY queue_at, connection_id`;
  return rows.map((row) => row.connection_id);
}
