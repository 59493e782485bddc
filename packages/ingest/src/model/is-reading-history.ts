import { and, eq, sql as fragment } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { pullWindows } from './tables.ts';

/** Whether a part of the connection's history is still to be read. */
export async function isReadingHistory({ orm }: Executor, connectionId: string): Promise<boolean> {
  const { windowId, state, lane } = pullWindows;
  // The states are literals, as in the condition of the index.
  const isOpen = and(
    eq(pullWindows.connectionId, connectionId),
    eq(lane, 'backfill'),
    fragment`${state} IN ('planned', 'running', 'failed')`,
  );
  const open = await run(orm.select({ windowId }).from(pullWindows).where(isOpen).limit(1));
  return open.length > 0;
}
