import type { Tx } from '@pulsewire/database';
import type { IngestContext } from '../context/context.ts';

/**
 * Records when this connection has work again and requests a run at that time, in the transaction that ends a lease. A connection that
 * waits for quota is woken when its turn comes. `servedAt`: when its live data was read; null: it was not read.
 */
export async function scheduleNext(context: IngestContext, tx: Tx, connectionId: string, servedAt: Date | null): Promise<void> {
  const now = context.clock.now();
  const [row] = await tx.sql<{ next_at: string | null }[]>`
    UPDATE pull_plans p SET turn_at = NULL, served_at = CASE WHEN p.waits_for = 'live' THEN p.served_at ELSE coalesce(${servedAt?.toISOString() ?? null}::timestamptz, p.served_at) END,
    next_tick_at = CASE WHEN p.stopped_at IS NULL AND p.waits_for IS DISTINCT FROM 'live' THEN (
      SELECT min(greatest(w.due_at, p.resume_at, CASE WHEN w.lane = 'backfill' THEN p.backfill_resume_at END))
      FROM pull_windows w WHERE w.connection_id = p.connection_id AND w.state IN ('planned', 'failed')
        AND (w.lane = 'live' OR p.waits_for IS NULL OR w.accepted_at >= coalesce(p.linked_at, p.created_at))
    ) END
    WHERE p.connection_id = ${connectionId} RETURNING p.next_tick_at AS next_at`;
  if (!row?.next_at) return;
  const delayMs = Date.parse(row.next_at) - now.getTime();
  if (delayMs <= 0) await context.jobs.wake(tx, connectionId);
  else await context.jobs.wakeLater(tx, connectionId, delayMs);
}
