import { dayMs } from '@pulsewire/kernel';
import { eq } from 'drizzle-orm';
import type { PullConnection } from '@pulsewire/connections';
import { plainArray, run, textArray, type Tx } from '@pulsewire/database';
import { pullPlans } from '../model/tables.ts';

/**
 * Locks the schedule's row (creating or restarting it) and records that there is work. Must be called before windows are planned: a run that is
 * starting or ending waits for this row and sees what was planned. Without it a run could end between our check of the queue and our
 * commit, and no run would pick up the windows.
 */
export async function lockOrCreateSchedule({ sql }: Tx, connection: PullConnection, now: Date): Promise<void> {
  const at = now.toISOString();
  const accountDueAt = new Date(now.getTime() + dayMs).toISOString();
  await sql`
    INSERT INTO pull_plans AS p (connection_id, team_id, user_id, provider, next_pull_at, next_tick_at, account_due_at, reads_since, created_at)
    VALUES (${connection.connectionId}, ${connection.teamId}, ${connection.userId}, ${connection.provider}, ${at}, ${at}, ${accountDueAt}, (SELECT last_value FROM receipt_versions), ${at})
    ON CONFLICT (connection_id) DO UPDATE SET next_tick_at = least(p.next_tick_at, excluded.next_tick_at), stopped_at = NULL`;
}

/** Records that the user has linked: when the connection is polled next, and what is asked of its provider. */
export interface LinkedSchedule {
  readonly nextPullAt: string;
  /** The account was not read yet: the first run reads it before it pulls. */
  readonly isAccountDue: boolean;
  /** The provider is asked to notify. */
  readonly isSubscribed: boolean;
}

export async function recordLink({ orm }: Tx, connectionId: string, linked: LinkedSchedule, now: Date): Promise<void> {
  const linkedAt = now.toISOString();
  const subscription = { subscription: linked.isSubscribed ? 'wanted' : 'none', subscriptionError: null, noticedAt: null } as const;
  const account = linked.isAccountDue ? { accountDueAt: linkedAt } : {};
  const values = { linkedAt, nextPullAt: linked.nextPullAt, ...account, ...subscription };
  await run(orm.update(pullPlans).set(values).where(eq(pullPlans.connectionId, connectionId)));
}

/** A connection of an import, with its first poll (ISO 8601). */
export interface ImportedSchedule {
  readonly connection: PullConnection;
  readonly nextPullAt: string;
  readonly isSubscribed: boolean;
}

/** Creates or restarts the schedules of connections that were imported together, as linked now, in one statement. */
export async function importSchedules({ sql }: Tx, plans: readonly ImportedSchedule[], now: Date): Promise<void> {
  const at = now.toISOString();
  await sql`
    INSERT INTO pull_plans AS p (connection_id, team_id, user_id, provider, next_pull_at, account_due_at, linked_at, subscription, reads_since, created_at)
    SELECT n.connection_id, n.team_id, n.user_id, n.provider, n.next_pull_at, ${at}::timestamptz, ${at}::timestamptz, n.subscription, (SELECT last_value FROM receipt_versions), ${at}::timestamptz
    FROM unnest(
      ${plainArray(plans.map(({ connection }) => connection.connectionId))}::uuid[], ${plainArray(plans.map(({ connection }) => connection.teamId))}::uuid[],
      ${plainArray(plans.map(({ connection }) => connection.userId))}::uuid[], ${textArray(plans.map(({ connection }) => connection.provider))}::text[],
      ${textArray(plans.map(({ nextPullAt }) => nextPullAt))}::timestamptz[],
      ${textArray(plans.map(({ isSubscribed }) => (isSubscribed ? 'wanted' : 'none')))}::text[]
    ) AS n(connection_id, team_id, user_id, provider, next_pull_at, subscription) ORDER BY n.connection_id
    ON CONFLICT (connection_id) DO UPDATE SET stopped_at = NULL, linked_at = excluded.linked_at, next_pull_at = excluded.next_pull_at,
      account_due_at = excluded.account_due_at, subscription = excluded.subscription, subscription_error = NULL, noticed_at = NULL`;
}
