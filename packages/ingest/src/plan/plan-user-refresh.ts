import type { Tx } from '@pulsewire/database';
import type { PlanContext } from '../context/context.ts';
import { planRefresh } from './plan-incremental.ts';

/** A window that a refresh waits for. */
export interface RefreshWindow {
  readonly windowId: string;
  readonly resources: readonly string[];
}

/** Plans a connection's live windows now, for a refresh on request; returns the windows to wait for, empty when there is nothing to pull. */
export async function planUserRefresh(context: PlanContext, tx: Tx, connectionId: string): Promise<readonly RefreshWindow[]> {
  if (!(await planRefresh(context, tx, connectionId))) return [];
  // A person is waiting for the result, so this refresh does not queue for quota.
  await tx.sql`
    UPDATE pull_plans SET waits_for = NULL, turn_at = ${context.clock.now().toISOString()}, turn_lane = 'live'
    WHERE connection_id = ${connectionId} AND waits_owner IS NOT NULL`;
  const rows = await tx.sql<{ window_id: string; resources: string[] }[]>`
    SELECT window_id, resources FROM pull_windows
    WHERE connection_id = ${connectionId} AND lane = 'live' AND state IN ('planned', 'running', 'failed') ORDER BY window_id`;
  return rows.map(({ window_id: windowId, resources }) => ({ windowId, resources }));
}
