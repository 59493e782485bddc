import type { PullConnection } from '@pulsewire/connections';
import { addDays, type Tx } from '@pulsewire/database';
import type { Connector } from '@pulsewire/providers';
import { localDay } from '../model/local-day.ts';
import { planBackfill } from './plan-backfill.ts';
import { planGap, readStop } from './plan-gap.ts';
import { planLive, readCursors, startCursors } from './plan-live.ts';
import { pullsOf, runsIn } from './pulls-of.ts';
import { touchPlan } from './touch-plan.ts';

/**
 * Plans what this connection lacks up to now: live windows for every pull, and history for pulls that are new to it, because the user has
 * just linked or granted more, or because the connector gained a pull. Linked again after a consent ended: also the days without one.
 */
export async function planPulls(tx: Tx, connection: PullConnection, connector: Connector, now: Date): Promise<void> {
  const stoppedAt = await readStop(tx, connection.connectionId);
  await touchPlan(tx, connection, now);
  const today = localDay(connection, now);
  const pulls = pullsOf(connector, connection);
  const cursors = await readCursors(tx, connection.connectionId);
  const added = pulls.filter((pull) => !cursors.has(pull.name));
  await planLive(
    tx,
    connection,
    pulls.filter((pull) => runsIn(pull, 'live')),
    cursors,
    today,
    now,
  );
  if (stoppedAt !== null) {
    const known = pulls.filter((pull) => cursors.has(pull.name));
    await planGap(tx, connection, known, stoppedAt, now);
  }
  if (added.length === 0) return;
  await planBackfill(
    tx,
    connection,
    added.filter((pull) => runsIn(pull, 'backfill')),
    today,
    now,
  );
  await startCursors(tx, connection.connectionId, added, addDays(today, -1));
}
