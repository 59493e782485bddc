import type { PullConnection } from '@pulsewire/connections';
import { and, eq, gt, isNull } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { pullWindows } from '../model/tables.ts';

/** Whether anything of this connection was read after this time. */
export async function wasReadSince({ orm }: Executor, { connectionId, teamId }: PullConnection, since: Date): Promise<boolean> {
  const isOfConnection = and(eq(pullWindows.connectionId, connectionId), eq(pullWindows.teamId, teamId));
  const isRead = and(isOfConnection, gt(pullWindows.finishedAt, since.toISOString()), isNull(pullWindows.errorCode));
  const rows = await run(orm.select({ windowId: pullWindows.windowId }).from(pullWindows).where(isRead).limit(1));
  return rows.length > 0;
}
