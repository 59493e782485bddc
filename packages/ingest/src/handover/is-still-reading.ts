import type { ResourceHandover } from '@pulsewire/connections';
import { run, type Executor, type Tx } from '@pulsewire/database';
import { and, eq, sql as fragment } from 'drizzle-orm';
import { pullWindows } from '../model/tables.ts';

/** Whether a part of the connection's history is still to be read. */
async function isReadingHistory({ orm }: Executor, connectionId: string): Promise<boolean> {
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

/** Whether it is not known yet what a side of a handover has, because its history is being read. One that stopped is not waited for. */
export async function isStillReading(tx: Tx, { connectionId, status }: ResourceHandover['ending' | 'successor']): Promise<boolean> {
  return connectionId !== null && status === 'connected' && (await isReadingHistory(tx, connectionId));
}
