import { errorCode, withJitter, type Logger } from '@pulsewire/kernel';
import { and, asc, eq, isNull, lte, sql as fragment } from 'drizzle-orm';
import { run, type Database, type Tx } from '@pulsewire/database';
import { pullPlans } from '../model/tables.ts';
import type { Connector } from '@pulsewire/providers';
import type { PlanContext } from '../context/context.ts';
import { addMissingWindows } from './missing-windows.ts';
import { pollEveryMs } from '../model/poll-interval.ts';
import { findPullable, type Pullable } from '../context/pullable.ts';
import { deferDuePull, setNextPull } from '../connection-schedule/due-times.ts';
import { stopSchedule } from '../connection-schedule/stop-schedule.ts';

/** How long a connection that could not be planned is left alone. */
const setbackMs = 15 * 60_000;

/** When this connection is polled next. Spread, so that connections created together are not polled together. */
export function nextPullAt(context: Pick<PlanContext, 'random'>, connector: Connector, now: Date): string {
  return new Date(now.getTime() + withJitter(pollEveryMs(connector), 0.1, context.random)).toISOString();
}

/**
 * Plans the live windows of one connection up to now and requests a run: a refresh on request. False when it cannot be pulled.
 */
export async function planRefresh(context: PlanContext, tx: Tx, connectionId: string): Promise<boolean> {
  const found = await findPullable(context, tx, connectionId);
  if (!found) return false;
  const now = context.clock.now();
  await addMissingWindows(context, tx, found, now);
  await schedulePoll(context, tx, found, now);
  return true;
}

/** The same for a poll, which leaves out the pulls that are polled more rarely. */
export async function planPoll(context: PlanContext, tx: Tx, connectionId: string): Promise<boolean> {
  const found = await findPullable(context, tx, connectionId);
  if (!found) return false;
  const now = context.clock.now();
  const [plan] = await run(
    tx.orm.select({ noticedAt: pullPlans.noticedAt }).from(pullPlans).where(eq(pullPlans.connectionId, connectionId)),
  );
  await addMissingWindows(context, tx, found, now, { noticedAt: plan?.noticedAt ?? null });
  await schedulePoll(context, tx, found, now);
  return true;
}

async function schedulePoll(context: PlanContext, tx: Tx, { connection, connector }: Pullable, now: Date): Promise<void> {
  const { connectionId } = connection;
  await setNextPull(tx, connectionId, nextPullAt(context, connector, now));
  await context.jobs.wake(tx, connectionId);
}

/**
 * Plans every connection whose poll is due, `limit` at most, each in its own transaction; returns how many were due. Several schedulers may
 * call it: the second finds nothing due. One that cannot be planned is logged and deferred to the next poll, so that it does not block the
 * others. A connection that waits for quota is polled when its turn comes.
 */
export async function planDuePulls(
  context: PlanContext & { readonly database: Database; readonly logger: Logger },
  limit = 500,
): Promise<number> {
  const { database, clock, logger } = context;
  const now = clock.now();
  const at = now.toISOString();
  const { connectionId: id, stoppedAt, waitsFor, nextPullAt: dueAt } = pullPlans;
  const isDue = and(isNull(stoppedAt), fragment`${waitsFor} IS DISTINCT FROM 'live'`, lte(dueAt, at));
  const due = await run(database.orm.select({ connectionId: id }).from(pullPlans).where(isDue).orderBy(asc(dueAt)).limit(limit));
  for (const { connectionId } of due) {
    const planned = database.transaction(async (tx) => {
      const [row] = await tx.sql`
        SELECT 1 FROM pull_plans WHERE connection_id = ${connectionId} AND stopped_at IS NULL AND next_pull_at <= ${at} FOR UPDATE SKIP LOCKED`;
      if (row && !(await planPoll(context, tx, connectionId))) await stopSchedule(tx, connectionId, now);
    });
    await planned.catch(async (error: unknown) => {
      logger.error({ connectionId, errorCode: errorCode(error) }, 'plan.poll_failed');
      const later = new Date(now.getTime() + setbackMs).toISOString();
      await deferDuePull(database, connectionId, at, later);
    });
  }
  return due.length;
}
