import {
  endedAt,
  ever,
  historyDaysOf,
  isOpen,
  openedOn,
  readResourceHandover,
  saveResourceHandover,
  type ResourceHandover,
} from '@pulsewire/connections';
import type { Tx } from '@pulsewire/database';
import { addDays } from '@pulsewire/kernel';
import { historyDepth } from '@pulsewire/providers';
import type { PlanContext } from '../context/context.ts';
import type { Pullable } from '../context/pullable.ts';
import { openCalendar } from '../handover/calendar.ts';
import { findUnavailable } from '../handover/find-unavailable.ts';
import { isStillReading } from '../handover/is-still-reading.ts';
import { readStoredExtents, type StoredExtent } from '../handover/stored-extents.ts';
import { cutWindows } from './cut-windows.ts';
import { resumeDay } from './live-windows.ts';
import { runsIn } from './pulls-of.ts';
import { addWindows, type RankedPull, type WindowPlan } from '../window/add-windows.ts';
import type { Cursor } from '../window/cursors.ts';

/** A pull whose resources are all handed over is still read this often, for days that the successor turns out to lack. */
const sweepDays = 7;

/** What a handover by resource changes in the plan of a connection. */
export interface HandoverPlan {
  readonly handover: ResourceHandover;
  /** Resources that return to this connection, each with the first day that the other one did not deliver. */
  readonly returned: ReadonlyMap<string, string>;
  /** Resources whose whole history is read once more. */
  readonly again: readonly string[];
}

interface Planned {
  readonly pullable: Pullable;
  readonly pulls: readonly RankedPull[];
  readonly cursors: ReadonlyMap<string, Cursor>;
  readonly today: string;
  readonly now: Date;
}

/** The first day after the stored ones; null: nothing is stored. */
const dayAfter = (extent: StoredExtent | undefined): string | null => (extent ? addDays(extent.last, 1) : null);

/** Null: the connection shares no resource with another. Scopes and permissions are checked with the first poll of a day. */
export async function readHandoverPlan(
  context: Pick<PlanContext, 'connectorFor'>,
  tx: Tx,
  { pullable, cursors, today, now }: Omit<Planned, 'pulls'>,
): Promise<HandoverPlan | null> {
  const { connection, connector } = pullable;
  // All others cost no query.
  if (connector.end === undefined && connector.succeedsPerResource === undefined) return null;
  const handover = await readResourceHandover(tx, connection, false);
  if (!handover) return null;
  const { isSuccessor, again, ending, successor, days } = handover;
  const [own, other] = isSuccessor ? [again.successor, ending] : [again.ending, successor];
  const isDue = own.length > 0 && !(await isStillReading(tx, other));
  const calendar = openCalendar(pullable, handover, now);
  let stored: Promise<ReadonlyMap<string, StoredExtent>> | undefined;
  const extents = () => (stored ??= readStoredExtents(tx, pullable, successor.provider, calendar));
  const isStopped = successor.connectionId === null || successor.status === 'error';
  const isFirstOfDay = ![...cursors.values()].some(({ coveredTo }) => coveredTo >= today);
  const unavailable =
    isSuccessor || !(isStopped || isFirstOfDay) ? [] : await findUnavailable(context, tx, handover, { today: calendar.today, extents });
  const returned = new Map<string, string>();
  for (const resource of unavailable) {
    const from = openedOn(days[resource]) ?? today;
    const next = dayAfter((await extents()).get(resource)) ?? from;
    returned.set(resource, next > from ? next : from);
  }
  return { handover, returned, again: isDue ? own : [] };
}

/** Whether days return to this connection, or are read once more. */
export const hasReturns = ({ returned, again }: HandoverPlan): boolean => returned.size > 0 || again.length > 0;

/**
 * True if all days that a poll of this pull would read belong to the successor. It is still polled once a week.
 * Pulls that only report deletions go on.
 */
export function isHandedOver(
  { handover, returned }: HandoverPlan,
  pull: RankedPull,
  coveredTo: string | undefined,
  today: string,
): boolean {
  if (handover.isSuccessor || coveredTo === undefined || !runsIn(pull, 'backfill') || coveredTo <= addDays(today, -sweepDays)) return false;
  const first = resumeDay(pull, coveredTo, today);
  return pull.resources.every((resource) => {
    const last = handover.days[resource]?.at(-1);
    return last?.to === null && last.from.day <= first && !returned.has(resource);
  });
}

/** The days before those that live pulls read, for the pulls of these resources. */
async function historyPlans(
  tx: Tx,
  { pullable: { connection }, pulls, cursors, today }: Planned,
  { returned, again }: HandoverPlan,
): Promise<readonly WindowPlan[]> {
  const wantedDays = await historyDaysOf(tx, connection.teamId);
  return pulls
    .filter((pull) => runsIn(pull, 'backfill'))
    .flatMap((pull) => {
      const coveredTo = cursors.get(pull.name)?.coveredTo;
      // Its history is being planned as a whole.
      if (coveredTo === undefined) return [];
      const oldest = addDays(today, -historyDepth(pull, wantedDays));
      const starts = pull.resources.flatMap((resource) => (again.includes(resource) ? [oldest] : (returned.get(resource) ?? [])));
      const first = starts.reduce((a, b) => (a < b ? a : b), today);
      const startDate = first < oldest ? oldest : first;
      const live = resumeDay(pull, coveredTo, today);
      const range = { startDate, endDate: addDays(live < today ? live : today, -1) };
      return [{ pull, windows: cutWindows(range, pull.chunkDays, connection) }];
    });
}

/**
 * Plans the days that return to this connection or that it reads once more, and records that they are planned. They are read as history,
 * for which no completion is reported. Call it after the live windows were planned and before cursors are written
 * (packages/database/LOCKS.md).
 */
export async function addReturnedWindows(
  { logger }: Pick<PlanContext, 'logger'>,
  tx: Tx,
  planned: Planned,
  handoverPlan: HandoverPlan,
): Promise<void> {
  const { returned, again } = handoverPlan;
  if (!hasReturns(handoverPlan)) return;
  const { pullable, now } = planned;
  await addWindows(tx, pullable.connection, 'backfill', await historyPlans(tx, planned, handoverPlan), now);
  const handover = await readResourceHandover(tx, pullable.connection, true);
  if (!handover) return;
  const calendar = openCalendar(pullable, handover, now);
  const stored = await readStoredExtents(tx, pullable, handover.successor.provider, calendar);
  const days = Object.entries(handover.days).map(([resource, spans]) => {
    if (!spans || !returned.has(resource) || !isOpen(spans)) return [resource, spans];
    const next = dayAfter(stored.get(resource));
    return [resource, endedAt(spans, next === null ? ever : calendar.startOf(next))];
  });
  const side = handover.isSuccessor ? 'successor' : 'ending';
  const left = handover.again[side].filter((resource) => !again.includes(resource));
  await saveResourceHandover(tx, pullable.connection, {
    ...handover,
    days: Object.fromEntries(days),
    again: { ...handover.again, [side]: left },
  });
  const { connectionId, provider } = pullable.connection;
  if (returned.size > 0) logger?.info({ connectionId, provider, resources: [...returned.keys()] }, 'handover.returned');
}
