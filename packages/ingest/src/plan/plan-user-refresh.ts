import { and, asc, eq, sql } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import type { PlanContext } from '../context/context.ts';
import { pullWindows } from '../model/tables.ts';
import { skipQueue } from '../connection-schedule/quota-queue.ts';
import { planRefresh } from './plan-poll.ts';

/** A window that a refresh waits for. */
export interface RefreshWindow {
  readonly windowId: string;
  readonly resources: readonly string[];
}

/**
 * Plans a connection's live windows now, for a refresh on request; returns the windows to wait for, empty when there is nothing to pull.
 */
export async function planUserRefresh(context: PlanContext, tx: Tx, connectionId: string): Promise<readonly RefreshWindow[]> {
  if (!(await planRefresh(context, tx, connectionId))) return [];
  // A person is waiting for the result, so this refresh does not queue for quota.
  await skipQueue(tx, connectionId, context.clock.now());
  const { windowId, resources, lane, state } = pullWindows;
  // The states are literals, as in the condition of the index.
  const isOpen = and(eq(pullWindows.connectionId, connectionId), eq(lane, 'live'), sql`${state} IN ('planned', 'running', 'failed')`);
  const rows = await run(tx.orm.select({ windowId, resources }).from(pullWindows).where(isOpen).orderBy(asc(windowId)));
  return rows.map((row) => ({ ...row, windowId: String(row.windowId) }));
}
