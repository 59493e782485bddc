import { addDays } from '@pulsewire/kernel';
import type { Tx } from '@pulsewire/database';
import type { PullConnection } from '@pulsewire/connections';
import type { PlanContext } from '../context/context.ts';
import { localDay } from '../model/local-day.ts';
import { pollEveryMs } from '../model/poll-interval.ts';
import { importSchedules } from '../connection-schedule/begin-schedule.ts';
import { importCursors } from '../window/cursors.ts';
import { pullsOf } from './pulls-of.ts';

/**
 * Plans connections that were imported together, in the transaction that stores them and with as many statements for a thousand as for
 * one: their live pulls begin within one poll, spread over it; their history waits for `planHistoricalPull`, which a throttle calls.
 */
export async function planImported(context: PlanContext, tx: Tx, connections: readonly PullConnection[]): Promise<void> {
  const now = context.clock.now();
  const served = connections.flatMap((connection) => {
    const connector = context.connectorFor(connection.provider);
    return connector ? [{ connection, connector }] : [];
  });
  const cursors = served.flatMap(({ connection, connector }) => {
    // Live pulls start today: earlier days are history.
    const coveredTo = addDays(localDay(connection, now), -1);
    return pullsOf(connector, connection).map((pull) => ({ connectionId: connection.connectionId, pull: pull.name, coveredTo }));
  });
  const plans = served.map(({ connection, connector }) => {
    const nextPullAt = new Date(now.getTime() + context.random() * pollEveryMs(connector)).toISOString();
    return { connection, nextPullAt, isSubscribed: connector.push !== undefined };
  });
  await importSchedules(tx, plans, now);
  await importCursors(tx, cursors);
}
