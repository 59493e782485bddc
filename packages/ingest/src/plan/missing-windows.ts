import { addDays } from '@pulsewire/kernel';
import { type Tx } from '@pulsewire/database';
import type { PlanContext } from '../context/context.ts';
import type { Pullable } from '../context/pullable.ts';
import { localDay } from '../model/local-day.ts';
import { addWindows, type RankedPull } from '../window/add-windows.ts';
import { addHistoryWindows } from './history-windows.ts';
import { hasReturns, isHandedOver, addReturnedWindows, readHandoverPlan } from './handed-over-windows.ts';
import { lockSchedule } from '../connection-schedule/stop-schedule.ts';
import { addGapWindows } from './gap-windows.ts';
import { readCursors, recordPolled, startCursors, type Cursor } from '../window/cursors.ts';
import { liveWindows } from './live-windows.ts';
import { isPullDue, isRereadDue } from '../model/poll-interval.ts';
import { pullsOf, runsIn } from './pulls-of.ts';
import { lockOrCreateSchedule } from '../connection-schedule/begin-schedule.ts';

/** What a poll knows of a connection. `noticedAt`: when the last notification for it arrived, if one has. */
interface Poll {
  readonly noticedAt: string | null;
}

const neverPolled = { polledAt: null, rereadAt: null };

/** The live pulls of a poll, and the names of those that read only the last day again. */
export function duePulls(
  { connector }: Pullable,
  pulls: readonly RankedPull[],
  cursors: ReadonlyMap<string, Cursor>,
  now: Date,
  { noticedAt }: Poll,
) {
  const stateOf = ({ name }: RankedPull) => cursors.get(name) ?? neverPolled;
  const due = pulls.filter((pull) => isPullDue(connector, pull, stateOf(pull), noticedAt, now));
  const shallow = due.filter((pull) => !isRereadDue(stateOf(pull), now));
  return { due, shallow: new Set(shallow.map(({ name }) => name)) };
}

/**
 * Plans what this connection lacks up to now: live windows for every pull, and history for pulls that are new to it, because the user has
 * just linked or granted more, or because the connector gained a pull. Linked again after a consent ended: also the days without one. What
 * was handed over to another connection is not polled, and is read again when it returns. A poll leaves out what is polled more rarely.
 */
export async function addMissingWindows(
  context: Pick<PlanContext, 'connectorFor' | 'logger'>,
  tx: Tx,
  pullable: Pullable,
  now: Date,
  poll?: Poll,
): Promise<void> {
  const { connection, connector } = pullable;
  const { connectionId } = connection;
  const stoppedAt = await lockSchedule(tx, connectionId);
  await lockOrCreateSchedule(tx, connection, now);
  const today = localDay(connection, now);
  const pulls = pullsOf(connector, connection);
  const cursors = await readCursors(tx, connectionId);
  const added = pulls.filter((pull) => !cursors.has(pull.name));
  const handoverPlan = await readHandoverPlan(context, tx, { pullable, cursors, today, now });
  const live = pulls.filter(
    (pull) => runsIn(pull, 'live') && !(handoverPlan && isHandedOver(handoverPlan, pull, cursors.get(pull.name)?.coveredTo, today)),
  );
  // Days that return are planned up to those that live pulls read.
  const isWhole = !poll || (handoverPlan !== null && hasReturns(handoverPlan));
  const { due, shallow } = isWhole ? { due: live, shallow: new Set<string>() } : duePulls(pullable, live, cursors, now, poll);
  await addWindows(tx, connection, 'live', liveWindows(connection, due, cursors, today, shallow), now);
  if (stoppedAt !== null) {
    const known = pulls.filter((pull) => cursors.has(pull.name));
    await addGapWindows(tx, connection, known, stoppedAt, now);
  }
  // Before anything is written about cursors, which pages write after the handover.
  if (handoverPlan) await addReturnedWindows(context, tx, { pullable, pulls, cursors, today, now }, handoverPlan);
  if (added.length > 0) {
    await addHistoryWindows(
      tx,
      connection,
      added.filter((pull) => runsIn(pull, 'backfill')),
      today,
      now,
    );
    await startCursors(tx, connectionId, added, addDays(today, -1));
  }
  await recordPolled(
    tx,
    due.map(({ name }) => ({ connectionId, pull: name, isReread: !shallow.has(name) })),
    now,
  );
}
