import { eq, sql as fragment } from 'drizzle-orm';
import { plainArray, run, type Executor } from '@pulsewire/database';
import { pullPlans } from '../model/tables.ts';

/** Stops runs and polls until the connection is linked again; its open windows stay open. */
export async function stopPlan({ orm }: Executor, connectionId: string, now: Date): Promise<void> {
  const stoppedAt = fragment`coalesce(${pullPlans.stoppedAt}, ${now.toISOString()}::timestamptz)`;
  await run(orm.update(pullPlans).set({ stoppedAt, nextTickAt: null }).where(eq(pullPlans.connectionId, connectionId)));
}

/** The same for many connections at once. */
export async function stopPlans({ sql }: Executor, connectionIds: readonly string[], now: Date): Promise<void> {
  await sql`
    WITH meant AS (
      SELECT connection_id FROM pull_plans WHERE connection_id = ANY(${plainArray(connectionIds)}::uuid[]) ORDER BY connection_id FOR UPDATE)
    UPDATE pull_plans p SET stopped_at = coalesce(p.stopped_at, ${now.toISOString()}), next_tick_at = NULL
    FROM meant WHERE p.connection_id = meant.connection_id`;
}

/** Reverses `stopPlans`: they are planned at the next poll. */
export async function restartPlans({ sql }: Executor, connectionIds: readonly string[], now: Date): Promise<void> {
  await sql`
    WITH meant AS (
      SELECT connection_id FROM pull_plans WHERE connection_id = ANY(${plainArray(connectionIds)}::uuid[]) ORDER BY connection_id FOR UPDATE)
    UPDATE pull_plans p SET stopped_at = NULL, next_pull_at = ${now.toISOString()} FROM meant WHERE p.connection_id = meant.connection_id`;
}

/**
 * Gives up the open windows of a removed connection and retains the record of what was read. Call it in the transaction that removes it.
 */
export function dropPlan(executor: Executor, connectionId: string): Promise<void> {
  return dropPlans(executor, [connectionId]);
}

/** The same for many connections at once. */
export async function dropPlans({ sql }: Executor, connectionIds: readonly string[]): Promise<void> {
  const gone = plainArray(connectionIds);
  await sql`DELETE FROM pull_plans WHERE connection_id = ANY(${gone}::uuid[])`;
  await sql`
    UPDATE pull_windows SET state = 'given_up', error_code = 'connection_removed'
    WHERE connection_id = ANY(${gone}::uuid[]) AND state IN ('planned', 'running', 'failed')`;
  await sql`DELETE FROM pull_cursors WHERE connection_id = ANY(${gone}::uuid[])`;
}
