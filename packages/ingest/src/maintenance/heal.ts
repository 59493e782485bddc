import { and, asc, isNull, lte, sql } from 'drizzle-orm';
import { isLeaseFree, run, type Database } from '@pulsewire/database';
import type { PlanContext } from '../context/context.ts';
import { appSubscriptions, pullPlans, pushInbox } from '../model/tables.ts';
import { pullNowIfFarAhead } from '../connection-schedule/due-times.ts';
import { recordSubscriptionRequest } from '../connection-schedule/subscription.ts';

/**
 * Requests runs of connections that have had work since `before` and have no lease: their worker died, or their job was lost. Returns how
 * many. Harmless when a job is waiting already: jobs of one connection are merged.
 */
export async function wakeOverdue(
  { database, jobs }: Pick<PlanContext, 'jobs'> & { readonly database: Database },
  before: Date,
  limit = 500,
): Promise<number> {
  const rows = await database.sql<{ connection_id: string }[]>`
    SELECT connection_id FROM pull_plans
    WHERE next_tick_at <= ${before.toISOString()} AND stopped_at IS NULL AND waits_for IS DISTINCT FROM 'live' AND ${isLeaseFree(database.sql, 'lease_until')}
    ORDER BY next_tick_at LIMIT ${limit}`;
  for (const { connection_id: connectionId } of rows) await database.transaction((tx) => jobs.wake(tx, connectionId));
  return rows.length;
}

/**
 * Makes polls due now that are planned further ahead than any polling interval: the clock was ahead when they were planned, and has been
 * corrected. Returns how many.
 */
export function bringForwardPolls({ database, clock }: Pick<PlanContext, 'clock'> & { readonly database: Database }): Promise<number> {
  return pullNowIfFarAhead(database, clock.now());
}

/** Requests jobs for pushes that are stored but not processed; returns how many. */
export async function wakePushes(
  { database, jobs }: Pick<PlanContext, 'jobs'> & { readonly database: Database },
  before: Date,
  limit = 500,
): Promise<number> {
  const { pushId: id, day: ofDay, state, receivedAt } = pushInbox;
  // The state is a literal, as in the condition of the index.
  const isWaiting = and(sql`${state} = 'received'`, lte(receivedAt, before.toISOString()));
  const rows = await run(
    database.orm.select({ pushId: id, day: ofDay }).from(pushInbox).where(isWaiting).orderBy(asc(receivedAt)).limit(limit),
  );
  for (const { pushId, day } of rows) await database.transaction((tx) => jobs.workPush(tx, { pushId, day }));
  return rows.length;
}

/** Requests jobs for application subscriptions that are due for renewal or retry; returns how many. */
export async function wakeAppSubscriptions(
  { database, jobs, clock }: Pick<PlanContext, 'jobs' | 'clock'> & { readonly database: Database },
  limit = 500,
): Promise<number> {
  const { provider: slug, owner: ofOwner, dueAt } = appSubscriptions;
  const isDue = lte(dueAt, clock.now().toISOString());
  const rows = await run(
    database.orm.select({ provider: slug, owner: ofOwner }).from(appSubscriptions).where(isDue).orderBy(asc(dueAt)).limit(limit),
  );
  for (const { provider, owner } of rows) await database.transaction((tx) => jobs.subscribeApp(tx, { provider, owner }));
  return rows.length;
}

/**
 * Requests jobs for wanted subscriptions that have lost their job. The least recently requested come first, so that those which always fail
 * do not starve the others.
 */
export async function wakeSubscriptions(
  { database, jobs, clock }: Pick<PlanContext, 'jobs' | 'clock'> & { readonly database: Database },
  limit = 500,
): Promise<number> {
  const { connectionId: id, subscription, stoppedAt, subscriptionAskedAt: askedAt } = pullPlans;
  // The states are literals, as in the condition of the index.
  const isWanted = and(sql`${subscription} IN ('wanted', 'failed')`, isNull(stoppedAt));
  const rows = await run(
    database.orm
      .select({ connectionId: id })
      .from(pullPlans)
      .where(isWanted)
      .orderBy(sql`${askedAt} NULLS FIRST`, asc(id))
      .limit(limit),
  );
  const requestedAt = clock.now();
  for (const { connectionId } of rows) {
    await database.transaction(async (tx) => {
      await recordSubscriptionRequest(tx, connectionId, requestedAt);
      await jobs.subscribe(tx, connectionId);
    });
  }
  return rows.length;
}
