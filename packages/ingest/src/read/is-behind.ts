import { and, eq, inArray, lt } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { pullWindows } from '../model/tables.ts';

/** Whether windows of the connection are open that contain days before `day` (`YYYY-MM-DD`): a small quota may keep them waiting for days. */
export async function isBehind({ orm }: Executor, connectionId: string, day: string): Promise<boolean> {
  const { windowId, state, startDate } = pullWindows;
  const isOpen = and(eq(pullWindows.connectionId, connectionId), inArray(state, ['planned', 'running', 'failed']), lt(startDate, day));
  const open = await run(orm.select({ windowId }).from(pullWindows).where(isOpen).limit(1));
  return open.length > 0;
}
