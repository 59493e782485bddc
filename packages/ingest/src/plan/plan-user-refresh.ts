import { and, asc, eq, isNotNull, sql } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import type { PlanContext } from '../context/context.ts';
import { pullPlans, pullWindows } from '../model/tables.ts';
import { planRefresh } from './plan-incremental.ts';

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
  const turn = { waitsFor: null, turnAt: context.clock.now().toISOString(), turnLane: 'live' };
  const isQueued = and(eq(pullPlans.connectionId, connectionId), isNotNull(pullPlans.waitsOwner));
  await run(tx.orm.update(pullPlans).set(turn).where(isQueued));
  const { windowId, resources, lane, state } = pullWindows;
  // The states are literals, as in the condition of the index.
  const isOpen = and(eq(pullWindows.connectionId, connectionId), eq(lane, 'live'), sql`${state} IN ('planned', 'running', 'failed')`);
  const rows = await run(tx.orm.select({ windowId, resources }).from(pullWindows).where(isOpen).orderBy(asc(windowId)));
  return rows.map((row) => ({ ...row, windowId: String(row.windowId) }));
}
