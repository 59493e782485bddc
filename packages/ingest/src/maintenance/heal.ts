import type { Database } from '@pulsewire/database';
import type { PlanContext } from '../context/context.ts';
import { isFree } from '../windows/lease.ts';

/**
 * Requests runs of connections that have had work since `before` and have no lease: their worker died, or their job was lost. Returns how
 * many. Harmless when a job is waiting already: jobs of one connection are merged.
 */
export async function wakeOverdue(
  { database, jobs, clock }: Pick<PlanContext, 'jobs' | 'clock'> & { readonly database: Database },
  before: Date,
  limit = 500,
): Promise<number> {
  const rows = await database.sql<{ connection_id: string }[]>`
    SELECT connection_id FROM pull_plans
    WHERE next_tick_at <= ${before.toISOString()} AND stopped_at IS NULL AND waits_for IS DISTINCT FROM 'live' AND ${isFree(database.sql, clock.now())}
    ORDER BY next_tick_at LIMIT ${limit}`;
  for (const { connection_id: connectionId } of rows) await database.transaction((tx) => jobs.wake(tx, connectionId));
  return rows.length;
}

/**
 * Makes polls due now that are planned further ahead than any polling interval: the clock was ahead when they were planned, and has been
 * corrected. Returns how many.
 */
export async function bringForwardPolls({
  database,
  clock,
}: Pick<PlanContext, 'clock'> & { readonly database: Database }): Promise<number> {
  const at = clock.now().toISOString();
  const moved = await database.sql`
    UPDATE pull_plans SET next_pull_at = ${at}, next_tick_at = least(next_tick_at, ${at}::timestamptz)
    WHERE stopped_at IS NULL AND next_pull_at > ${at}::timestamptz + interval '3 days'`;
  return moved.count;
}

/** Requests jobs for pushes that are stored but not processed; returns how many. */
export async function wakePushes(
  { database, jobs }: Pick<PlanContext, 'jobs'> & { readonly database: Database },
  before: Date,
  limit = 500,
): Promise<number> {
  const rows = await database.sql<{ push_id: string; day: string }[]>`
    SELECT push_id, day FROM push_inbox WHERE state = 'received' AND received_at <= ${before.toISOString()} ORDER BY received_at LIMIT ${limit}`;
  for (const { push_id: pushId, day } of rows) await database.transaction((tx) => jobs.workPush(tx, { pushId, day }));
  return rows.length;
}

/** Requests jobs for application subscriptions that are due for renewal or retry; returns how many. */
export async function wakeAppSubscriptions(
  { database, jobs, clock }: Pick<PlanContext, 'jobs' | 'clock'> & { readonly database: Database },
  limit = 500,
): Promise<number> {
  const rows = await database.sql<{ provider: string; owner: string }[]>`
    SELECT provider, owner FROM app_subscriptions WHERE due_at <= ${clock.now().toISOString()} ORDER BY due_at LIMIT ${limit}`;
  for (const { provider, owner } of rows) await database.transaction((tx) => jobs.subscribeApp(tx, { provider, owner }));
  return rows.length;
}

/**
 * Requests jobs for subscriptions that are wanted and whose job is gone. The least recently requested come first, so that those which
 * always fail do not starve the others.
 */
export async function wakeSubscriptions(
  { database, jobs, clock }: Pick<PlanContext, 'jobs' | 'clock'> & { readonly database: Database },
  limit = 500,
): Promise<number> {
  const rows = await database.sql<{ connection_id: string }[]>`
    SELECT connection_id FROM pull_plans WHERE subscription IN ('wanted', 'failed') AND stopped_at IS NULL
    ORDER BY subscription_asked_at NULLS FIRST, connection_id LIMIT ${limit}`;
  const at = clock.now().toISOString();
  for (const { connection_id: connectionId } of rows) {
    await database.transaction(async (tx) => {
      await tx.sql`UPDATE pull_plans SET subscription_asked_at = ${at} WHERE connection_id = ${connectionId}`;
      await jobs.subscribe(tx, connectionId);
    });
  }
  return rows.length;
}
