import type { PullLane } from '@pulsewire/providers';
import type { Tx } from '@pulsewire/database';
import type { Pullable } from '../context/pullable.ts';
import { applicationBudget } from '../quota/budget-of.ts';
import { joinQueue } from '../connection-schedule/quota-queue.ts';
import { pauseSchedule } from '../connection-schedule/due-times.ts';

/** Defers a lane of a connection that has no quota left: into its application's queue, or until its user's quota is free. */
export async function waitForQuota(
  tx: Tx,
  { connection, connector }: Pullable,
  lane: PullLane,
  spent: { readonly scope: 'app' | 'user'; readonly isInterrupted: boolean; readonly delayMs: number },
  now: Date,
): Promise<void> {
  const { connectionId } = connection;
  const key = applicationBudget(connector, connection);
  if (spent.scope === 'app' && key) return joinQueue(tx, connectionId, { owner: key.owner, lane, isInterrupted: spent.isInterrupted, now });
  await pauseSchedule(tx, connectionId, lane === 'live' ? 'all' : 'history', spent.delayMs, now);
}
