import { addDays } from '@pulsewire/kernel';
import type { Tx } from '@pulsewire/database';
import type { PullConnection } from '@pulsewire/connections';
import type { PullWindow } from '@pulsewire/providers';
import { cutWindows } from './cut-windows.ts';
import { addWindows, type RankedPull, type WindowPlan } from '../window/add-windows.ts';
import type { Cursor } from '../window/cursors.ts';
import { localDay } from '../model/local-day.ts';
import type { NamedObject } from '../sealed/named-object.ts';
import { runsIn } from './pulls-of.ts';

/** Late data of the last day that may be read is still fetched for this long. */
const catchUpDays = 7;

/**
 * The day to continue reading from. The last day read was not over when it was read, and the days before it may have been revised since;
 * after a long gap it is no further back than a historical pull would go.
 */
export function resumeDay(pull: RankedPull, coveredTo: string, today: string, rereadDays = pull.rereadDays): string {
  const wanted = addDays(coveredTo, -rereadDays);
  const oldest = addDays(today, -Math.max(pull.backfillDays, pull.rereadDays));
  return wanted < oldest ? oldest : wanted;
}

/** The live windows of these pulls up to `today`. `shallow`: the names of those that read only the last day again. */
export function liveWindows(
  connection: PullConnection,
  pulls: readonly RankedPull[],
  cursors: ReadonlyMap<string, Cursor>,
  today: string,
  shallow: ReadonlySet<string>,
): readonly WindowPlan[] {
  const { ingestionEnd } = connection;
  if (ingestionEnd !== null && today > addDays(ingestionEnd, catchUpDays)) return [];
  return pulls.map((pull) => {
    const coveredTo = cursors.get(pull.name)?.coveredTo;
    const rereadDays = shallow.has(pull.name) ? Math.min(1, pull.rereadDays) : pull.rereadDays;
    const startDate = coveredTo === undefined ? today : resumeDay(pull, coveredTo, today, rereadDays);
    const range = { startDate, endDate: today };
    return { pull, windows: cutWindows(range, pull.chunkDays, connection) };
  });
}

/**
 * Plans the reading of one object that a provider announced. A pull that cannot read single objects reads the days again that may contain
 * it.
 */
export async function addObjectWindow(
  tx: Tx,
  connection: PullConnection,
  pulls: readonly RankedPull[],
  object: NamedObject,
  now: Date,
): Promise<number> {
  const today = localDay(connection, now);
  const plans = pulls.map((pull) => {
    if (pull.pullObject) return { pull, windows: [{ startDate: today, endDate: today }], object };
    const range = { startDate: addDays(today, -pull.rereadDays), endDate: today };
    return { pull, windows: cutWindows(range, pull.chunkDays, connection) };
  });
  return addWindows(tx, connection, 'live', plans, now, true);
}

/** Plans these days once more, for the pulls that read them live or as history. The caller holds the schedule's row. */
export async function addDaysAgain(
  tx: Tx,
  connection: PullConnection,
  pulls: readonly RankedPull[],
  days: PullWindow,
  now: Date,
): Promise<number> {
  const today = localDay(connection, now);
  const plans = pulls
    .filter((pull) => runsIn(pull, 'live'))
    .map((pull) => {
      const oldest = addDays(today, -Math.max(pull.backfillDays, pull.rereadDays));
      const startDate = days.startDate < oldest ? oldest : days.startDate;
      const range = { startDate, endDate: days.endDate };
      return { pull, windows: cutWindows(range, pull.chunkDays, connection) };
    });
  return addWindows(tx, connection, 'live', plans, now, true);
}

/**
 * Plans the days that a provider announced, for the pulls that follow this collection. A finished live window counts as everything up to
 * its end, so reading starts where it stopped and includes the days of a gap.
 */
export async function addAnnouncedDays(
  tx: Tx,
  connection: PullConnection,
  pulls: readonly RankedPull[],
  cursors: ReadonlyMap<string, Pick<Cursor, 'coveredTo'>>,
  window: PullWindow,
  now: Date,
): Promise<number> {
  const today = localDay(connection, now);
  // In the user's time zone the next day may have begun. Later days have no data, even if they were announced.
  const lastDay = addDays(today, 1);
  const endDate = window.endDate < lastDay ? window.endDate : lastDay;
  const plans = pulls.map((pull) => {
    const coveredTo = cursors.get(pull.name)?.coveredTo;
    const isBehind = coveredTo !== undefined && coveredTo < window.startDate;
    const resumed = isBehind ? resumeDay(pull, coveredTo, today) : window.startDate;
    const range = { startDate: resumed < window.startDate ? resumed : window.startDate, endDate };
    return { pull, windows: cutWindows(range, pull.chunkDays, connection) };
  });
  return addWindows(tx, connection, 'live', plans, now, true);
}
