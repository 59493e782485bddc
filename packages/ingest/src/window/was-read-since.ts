import type { PullConnection } from '@pulsewire/connections';
import { and, eq, gt, isNull } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { pullWindows } from '../model/tables.ts';
import type { RunningWindow } from './claim-window.ts';

/** Whether anything of this connection was read after this time. */
export async function wasReadSince({ orm }: Executor, { connectionId, teamId }: PullConnection, since: Date): Promise<boolean> {
  const isOfConnection = and(eq(pullWindows.connectionId, connectionId), eq(pullWindows.teamId, teamId));
  const isRead = and(isOfConnection, gt(pullWindows.finishedAt, since.toISOString()), isNull(pullWindows.errorCode));
  const rows = await run(orm.select({ windowId: pullWindows.windowId }).from(pullWindows).where(isRead).limit(1));
  return rows.length > 0;
}

/**
 * Whether another window of this connection was read after the previous run of this one failed. True also when no run of it has failed yet
 * (its workers died), because then nothing suggests that the provider is at fault.
 */
export async function wasReadSinceFailure({ sql }: Executor, teamId: string, { windowId }: RunningWindow): Promise<boolean> {
  const [row] = await sql<{ is_read: boolean }[]>`
    SELECT w.error_code IS NULL OR EXISTS (
      SELECT 1 FROM pull_windows o
      WHERE o.connection_id = w.connection_id AND o.window_id <> w.window_id AND o.state = 'done' AND o.finished_at > w.finished_at
    ) AS is_read
    FROM pull_windows w WHERE w.window_id = ${windowId} AND w.team_id = ${teamId}`;
  return row?.is_read ?? true;
}
