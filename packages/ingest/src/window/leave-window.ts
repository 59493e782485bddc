import { and, eq, sql as fragment } from 'drizzle-orm';
import { plainArray, run, textArray, type Executor, type Tx } from '@pulsewire/database';
import { pullWindows } from '../model/tables.ts';
import type { RunningWindow } from './claim-window.ts';
import { isInterruptedByQuota } from './transitions.ts';

/** The run failed: the window is read again at `dueAt`, and what was asked for meanwhile is read then too. The caller has locked it. */
export async function retryLater(
  { orm }: Tx,
  { windowId }: RunningWindow,
  { errorCode, dueAt, now }: { readonly errorCode: string; readonly dueAt: Date; readonly now: Date },
): Promise<void> {
  const isIt = eq(pullWindows.windowId, BigInt(windowId));
  const times = { dueAt: dueAt.toISOString(), finishedAt: now.toISOString() };
  await run(
    orm
      .update(pullWindows)
      .set({ state: 'failed', runEpoch: null, isAskedAgain: false, ...times, errorCode })
      .where(isIt),
  );
}

/**
 * Restores a window to its state before this run, which does not count as an attempt. A window that resumes where it was interrupted and
 * was asked for again is still read once more afterwards. `errorCode`: why; null keeps the earlier one. The caller has locked it.
 */
export async function yieldBack({ sql }: Tx, { windowId }: RunningWindow, errorCode: string | null): Promise<void> {
  await sql`
    UPDATE pull_windows SET state = 'planned', run_epoch = NULL, attempts = attempts - 1, error_code = coalesce(${errorCode}, error_code),
      is_asked_again = is_asked_again AND ${isInterruptedByQuota(sql, null, errorCode)}
    WHERE window_id = ${windowId}`;
}

/** Restores claimed windows of one lease that were not run, as if they had not been claimed. A worker that took them over since keeps them. */
export async function giveBackUnread({ sql }: Executor, windows: readonly RunningWindow[]): Promise<void> {
  const [first] = windows;
  if (!first) return;
  await sql`
    UPDATE pull_windows SET state = 'planned', run_epoch = NULL, attempts = attempts - 1
    WHERE window_id = ANY(${plainArray(windows.map(({ windowId }) => windowId))}::bigint[]) AND state = 'running' AND run_epoch = ${first.epoch}`;
}

/** Plans again what a worker left running that has lost the connection's lease; the attempt still counts. */
export async function replanInterrupted({ orm }: Tx, connectionId: string): Promise<void> {
  const isLeftRunning = and(eq(pullWindows.connectionId, connectionId), eq(pullWindows.state, 'running'));
  await run(orm.update(pullWindows).set({ state: 'planned', runEpoch: null }).where(isLeftRunning));
}

/** Gives up the open windows of removed connections; what was read stays on record. */
export async function giveUpRemoved({ sql }: Executor, connectionIds: readonly string[]): Promise<void> {
  await sql`
    UPDATE pull_windows SET state = 'given_up', error_code = 'connection_removed'
    WHERE connection_id = ANY(${plainArray(connectionIds)}::uuid[]) AND state IN ('planned', 'running', 'failed')`;
}

/** How long a window waits for the notifications that fulfil it. */
export interface NotificationWait {
  /** From the last notification for its days. */
  readonly quietMs: number;
  /** From the provider's acceptance. */
  readonly waitMs: number;
}

/**
 * The provider accepted the request of this window and responds by notifications: the window stays open until they have arrived. Some may
 * have arrived while the request was in progress (`postponeAwaiting` has then moved the due time past the start). The caller has locked it.
 */
export async function awaitNotifications({ sql }: Tx, { windowId }: RunningWindow, wait: NotificationWait, now: Date): Promise<void> {
  const at = now.toISOString();
  const after = (ms: number) => new Date(now.getTime() + ms).toISOString();
  await sql`
    UPDATE pull_windows SET state = 'planned', run_epoch = NULL, is_asked_again = false, attempts = 0, runs = runs + 1, error_code = NULL,
      accepted_at = ${at}, finished_at = ${at},
      due_at = CASE WHEN due_at > started_at THEN ${after(wait.quietMs)}::timestamptz ELSE ${after(wait.waitMs)}::timestamptz END
    WHERE window_id = ${windowId}`;
}

/** Whether history that notifications fulfil is still to be read for one of these pulls. */
export async function hasOpenHistory({ orm }: Tx, connectionId: string, pulls: readonly string[]): Promise<boolean> {
  const { windowId, pull, lane, state } = pullWindows;
  // The states are literals, as in the condition of the index.
  const isOpen = and(
    eq(pullWindows.connectionId, connectionId),
    eq(lane, 'backfill'),
    fragment`${pull} = ANY(${textArray(pulls)}::text[])`,
    fragment`${state} IN ('planned', 'running', 'failed')`,
  );
  return (await run(orm.select({ windowId }).from(pullWindows).where(isOpen).limit(1))).length > 0;
}

/**
 * Notifications contained or announced data of these days: windows that wait for it end when no more has arrived for a while. Returns
 * whether there were any. The caller has locked the schedule's row.
 */
export async function postponeAwaiting(
  { sql }: Tx,
  connectionId: string,
  {
    pulls,
    days,
    wait,
    now,
  }: { readonly pulls: readonly string[]; readonly days: readonly string[]; readonly wait: NotificationWait; readonly now: Date },
): Promise<boolean> {
  const quietAt = new Date(now.getTime() + wait.quietMs).toISOString();
  const postponed = await sql`
    UPDATE pull_windows w SET due_at = CASE WHEN w.state = 'running' THEN ${quietAt}::timestamptz
      ELSE least(w.accepted_at + ${wait.waitMs} * interval '1 millisecond', ${quietAt}::timestamptz) END
    WHERE w.connection_id = ${connectionId} AND w.lane = 'backfill' AND w.pull = ANY(${textArray(pulls)}::text[])
      AND (w.state = 'running' OR (w.state = 'planned' AND w.accepted_at IS NOT NULL))
      AND EXISTS (SELECT 1 FROM unnest(${plainArray(days)}::date[]) AS n(day) WHERE n.day BETWEEN w.start_date AND w.end_date)
    RETURNING 1 AS postponed`;
  return postponed.length > 0;
}
