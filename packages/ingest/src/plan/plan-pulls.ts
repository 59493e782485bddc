import { addDays, type Tx } from '@pulsewire/database';
import type { PlanContext } from '../context/context.ts';
import type { Pullable } from '../context/pullable.ts';
import { localDay } from '../model/local-day.ts';
import { planBackfill } from './plan-backfill.ts';
import { isHandedOver, planDivision, readDivision } from './plan-division.ts';
import { planGap, readStop } from './plan-gap.ts';
import { planLive, readCursors, startCursors } from './plan-live.ts';
import { pullsOf, runsIn } from './pulls-of.ts';
import { touchPlan } from './touch-plan.ts';

/**
 * Plans what this connection lacks up to now: live windows for every pull, and history for pulls that are new to it, because the user has
 * just linked or granted more, or because the connector gained a pull. Linked again after a consent ended: also the days without one. What
 * was handed over to another connection is not polled, and is read again when it returns.
 */
export async function planPulls(context: Pick<PlanContext, 'connectorFor'>, tx: Tx, pullable: Pullable, now: Date): Promise<void> {
  const { connection, connector } = pullable;
  const stoppedAt = await readStop(tx, connection.connectionId);
  await touchPlan(tx, connection, now);
  const today = localDay(connection, now);
  const pulls = pullsOf(connector, connection);
  const cursors = await readCursors(tx, connection.connectionId);
  const added = pulls.filter((pull) => !cursors.has(pull.name));
  const division = await readDivision(context, tx, { pullable, cursors, today, now });
  await planLive(
    tx,
    connection,
    pulls.filter((pull) => runsIn(pull, 'live') && !(division && isHandedOver(division, pull, cursors.get(pull.name), today))),
    cursors,
    today,
    now,
  );
  if (stoppedAt !== null) {
    const known = pulls.filter((pull) => cursors.has(pull.name));
    await planGap(tx, connection, known, stoppedAt, now);
  }
  if (added.length > 0) {
    await planBackfill(
      tx,
      connection,
      added.filter((pull) => runsIn(pull, 'backfill')),
      today,
      now,
    );
    await startCursors(tx, connection.connectionId, added, addDays(today, -1));
  }
  if (division) await planDivision(tx, { pullable, pulls, cursors, today, now }, division);
}
