import type { PullConnection } from '@pulsewire/connections';
import type { Tx } from '@pulsewire/database';

const dayMs = 86_400_000;

/**
 * Locks the plan's row (creating or restarting it) and records that there is work. Must be called before windows are planned: a run that is
 * starting or ending waits for this row and sees what was planned. Without it a run could end between our check of the queue and our
 * commit, and no run would pick up the windows.
 */
export async function touchPlan({ sql }: Tx, connection: PullConnection, now: Date): Promise<void> {
  const at = now.toISOString();
  const accountDueAt = new Date(now.getTime() + dayMs).toISOString();
  await sql`
    INSERT INTO pull_plans AS p (connection_id, team_id, user_id, provider, next_pull_at, next_tick_at, account_due_at, reads_since, created_at)
    VALUES (${connection.connectionId}, ${connection.teamId}, ${connection.userId}, ${connection.provider}, ${at}, ${at}, ${accountDueAt}, (SELECT last_value FROM receipt_versions), ${at})
    ON CONFLICT (connection_id) DO UPDATE SET next_tick_at = least(p.next_tick_at, excluded.next_tick_at), stopped_at = NULL`;
}
