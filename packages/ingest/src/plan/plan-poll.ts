import { withJitter } from '@pulsewire/kernel';
import { eq } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import { pullPlans } from '../model/tables.ts';
import type { Connector } from '@pulsewire/providers';
import type { PlanContext } from '../context/context.ts';
import { addMissingWindows } from './missing-windows.ts';
import { pollEveryMs } from '../model/poll-interval.ts';
import { findPullable, type Pullable } from '../context/pullable.ts';
import { setNextPull } from '../connection-schedule/due-times.ts';

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
