import type { Emit } from '@pulsewire/eventlog';
import type { Sql, Tx } from '@pulsewire/database';
import type { PullConnection } from '@pulsewire/connections';
import type { RunningWindow } from './claim-window.ts';
import { completeHistory } from './complete-history.ts';
import { advanceCursor } from './cursors.ts';
import { exceedsQuota } from './transitions.ts';

/** How a window ended: everything read, or given up with a reason. */
export type WindowEnd =
  /** `reading`: its responses, when they changed nothing in the store (`packReading`); null: the next reading is compared with the store. */
  { readonly state: 'done'; readonly reading: Buffer | null } | { readonly state: 'given_up'; readonly errorCode: string };

/** SQL: what a window that was read remembers of its reading. A window that was given up keeps what it had, which no longer counts. */
function lastReading(sql: Sql, end: WindowEnd, at: string) {
  if (end.state !== 'done') return sql``;
  if (end.reading === null) return sql`reading = NULL, seen_version = NULL,`;
  return sql`reading = ${end.reading}, seen_version = NULL, reading_at = ${at}, reading_runs = runs + 1,
      reading_changes = (SELECT c.changes FROM pull_cursors c WHERE c.connection_id = w.connection_id AND c.pull = w.pull),`;
}

/**
 * Records how a window ended. One that was requested again while it ran is planned once more instead, unless it exceeds its quota, which
 * the others need too. The caller holds the window; done windows end in the transaction of their last page.
 */
export async function endWindow(
  tx: Tx,
  emit: Emit,
  connection: PullConnection,
  window: RunningWindow,
  end: WindowEnd,
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  const isOnce = end.state === 'given_up' && end.errorCode === exceedsQuota;
  const isPlanned = tx.sql`(is_asked_again AND NOT ${isOnce}::boolean)`;
  const [row] = await tx.sql<{ state: string; resources: string[] }[]>`
    UPDATE pull_windows w SET
      state = CASE WHEN ${isPlanned} THEN 'planned' ELSE ${end.state} END, is_asked_again = false, run_epoch = NULL, accepted_at = NULL,
      attempts = CASE WHEN ${isPlanned} OR ${end.state} = 'done' THEN 0 ELSE attempts END,
      planned_at = CASE WHEN ${isPlanned} THEN ${at}::timestamptz ELSE planned_at END,
      ${lastReading(tx.sql, end, at)} runs = runs + 1, due_at = ${at}, finished_at = ${at}, error_code = ${end.state === 'done' ? null : end.errorCode}
    WHERE window_id = ${window.windowId} RETURNING state, resources`;
  if (!row || row.state === 'planned') return;
  if (window.lane === 'backfill') return completeHistory(tx, emit, connection, { resources: row.resources, traceId: window.traceId }, now);
  if (end.state === 'done' && window.objectId === '') await advanceCursor(tx, connection.connectionId, window.pull, window.endDate);
}
