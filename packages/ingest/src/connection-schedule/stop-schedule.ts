import { eq, sql as fragment } from 'drizzle-orm';
import { plainArray, run, type Executor, type Tx } from '@pulsewire/database';
import { pullPlans } from '../model/tables.ts';
import { removeCursors } from '../window/cursors.ts';
import { giveUpRemoved } from '../window/leave-window.ts';

/** Locks a schedule's row. Returns when it was stopped, because the consent ended; null while it runs, and before there is one. */
export async function lockSchedule({ orm }: Tx, connectionId: string): Promise<Date | null> {
  const { stoppedAt, connectionId: id } = pullPlans;
  const [plan] = await run(orm.select({ stoppedAt }).from(pullPlans).where(eq(id, connectionId)).for('update'));
  return plan?.stoppedAt == null ? null : new Date(plan.stoppedAt);
}

/** Stops runs and polls until the connection is linked again; its open windows stay open. */
export async function stopSchedule({ orm }: Executor, connectionId: string, now: Date): Promise<void> {
  const stoppedAt = fragment`coalesce(${pullPlans.stoppedAt}, ${now.toISOString()}::timestamptz)`;
  await run(orm.update(pullPlans).set({ stoppedAt, nextTickAt: null }).where(eq(pullPlans.connectionId, connectionId)));
}

/** The same for many connections at once. */
export async function stopSchedules({ sql }: Executor, connectionIds: readonly string[], now: Date): Promise<void> {
  await sql`
    WITH locked AS (
      SELECT connection_id FROM pull_plans WHERE connection_id = ANY(${plainArray(connectionIds)}::uuid[]) ORDER BY connection_id FOR UPDATE)
    UPDATE pull_plans p SET stopped_at = coalesce(p.stopped_at, ${now.toISOString()}), next_tick_at = NULL
    FROM locked WHERE p.connection_id = locked.connection_id`;
}

/** Reverses `stopSchedules`: they are planned at the next poll. */
export async function restartSchedules({ sql }: Executor, connectionIds: readonly string[], now: Date): Promise<void> {
  await sql`
    WITH locked AS (
      SELECT connection_id FROM pull_plans WHERE connection_id = ANY(${plainArray(connectionIds)}::uuid[]) ORDER BY connection_id FOR UPDATE)
    UPDATE pull_plans p SET stopped_at = NULL, next_pull_at = ${now.toISOString()} FROM locked WHERE p.connection_id = locked.connection_id`;
}

/**
 * Gives up the open windows of a removed connection and retains the record of what was read. Call it in the transaction that removes it.
 */
export function dropSchedule(executor: Executor, connectionId: string): Promise<void> {
  return dropSchedules(executor, [connectionId]);
}

/** The same for many connections at once. */
export async function dropSchedules(executor: Executor, connectionIds: readonly string[]): Promise<void> {
  const { sql } = executor;
  await sql`DELETE FROM pull_plans WHERE connection_id = ANY(${plainArray(connectionIds)}::uuid[])`;
  await giveUpRemoved(executor, connectionIds);
  await removeCursors(executor, connectionIds);
}

/** Erases the schedules of a user, in the transaction that erases the user. Returns their connections. */
export async function eraseSchedules({ orm }: Tx, userId: string): Promise<readonly string[]> {
  const { connectionId } = pullPlans;
  const erased = await run(orm.delete(pullPlans).where(eq(pullPlans.userId, userId)).returning({ connectionId }));
  return erased.map((plan) => plan.connectionId);
}
