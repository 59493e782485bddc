import { addDays } from '@pulsewire/kernel';
import { type Tx } from '@pulsewire/database';
import type { PlanContext } from '../context/context.ts';
import { localDay } from '../model/local-day.ts';
import { recordLink, lockOrCreateSchedule } from '../connection-schedule/begin-schedule.ts';
import { addHistoryWindows } from './history-windows.ts';
import { nextPullAt } from './plan-poll.ts';
import { startCursors } from '../window/cursors.ts';
import { addMissingWindows } from './missing-windows.ts';
import { findPullable } from '../context/pullable.ts';
import { pullsOf, runsIn } from './pulls-of.ts';

/**
 * Plans a connection that was just linked, in the transaction that links it: the first live windows, the historical
 * pull, and the subscription to the provider's pushes. Linked again, only what is missing since then is planned.
 */
export async function planConnection(context: PlanContext, tx: Tx, connectionId: string): Promise<void> {
  const found = await findPullable(context, tx, connectionId);
  if (!found) return;
  const { connection, connector } = found;
  const now = context.clock.now();
  await addMissingWindows(context, tx, found, now);
  // Linking succeeds even if the account could not be read; the first run then reads it before it pulls.
  const isSubscribed = connector.push?.subscribe !== undefined || connector.push?.ensure !== undefined;
  const isAccountKnown = Object.keys(connection.account).length > 0;
  await recordLink(tx, connectionId, { nextPullAt: nextPullAt(context, connector, now), isAccountDue: !isAccountKnown, isSubscribed }, now);
  if (isSubscribed) await context.jobs.subscribe(tx, connectionId);
  await context.jobs.wake(tx, connectionId);
}

/**
 * Plans the whole history of a connection once more, on an operator's request; only real changes emit events. False when the connection
 * cannot be pulled.
 */
export async function planHistoricalPull(context: PlanContext, tx: Tx, connectionId: string): Promise<boolean> {
  const found = await findPullable(context, tx, connectionId);
  if (!found) return false;
  const { connection, connector } = found;
  const now = context.clock.now();
  const today = localDay(connection, now);
  const pulls = pullsOf(connector, connection);
  await lockOrCreateSchedule(tx, connection, now);
  await addHistoryWindows(
    tx,
    connection,
    pulls.filter((pull) => runsIn(pull, 'backfill')),
    today,
    now,
  );
  await startCursors(tx, connectionId, pulls, addDays(today, -1));
  await context.jobs.wake(tx, connectionId);
  return true;
}
