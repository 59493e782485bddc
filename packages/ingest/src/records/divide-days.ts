import {
  ever,
  isOpen,
  openedAt,
  readResourceHandover,
  saveResourceDays,
  withoutSuccessor,
  type DayStart,
  type ResourceDays,
  type ResourceHandover,
} from '@pulsewire/connections';
import type { CanonicalRecord } from '@pulsewire/contract';
import { addDays, type Tx } from '@pulsewire/database';
import { createZoneFinder } from '@pulsewire/providers';
import { readDataExtents } from '@pulsewire/store';
import type { IngestContext } from '../context/context.ts';
import type { Pullable } from '../context/pullable.ts';
import { isReadingHistory } from '../model/is-reading-history.ts';
import { lastDayRead } from '../model/last-day-read.ts';
import { withinOwnDays } from '../plan/windows/within-own-days.ts';

/** What was measured within this many days shows that a resource is delivered: an old history does not replace what still arrives. */
const recentDays = 30;

interface Page {
  readonly pullable: Pullable;
  readonly records: readonly CanonicalRecord[];
  readonly now: Date;
}

function hasDataSince(records: readonly CanonicalRecord[], resource: string, { day, ms }: DayStart): boolean {
  return records.some((record) => {
    if (record.resource !== resource) return false;
    if (record.kind === 'samples') return record.samples.some(({ ts }) => ts >= ms);
    return record.kind === 'summary' && record.calendarDate !== null && record.calendarDate >= day;
  });
}

/** The newest stored day of each resource of a provider. */
async function newestDays(tx: Tx, { connection }: Pullable, provider: string, dayOf: (ms: number) => string) {
  const extents = await readDataExtents(tx, { teamId: connection.teamId, userIds: [connection.userId], provider });
  // The date of a summary is given as midnight of UTC.
  return new Map(
    extents.map(({ resource, newest, days }) => [resource, days === null ? dayOf(newest.getTime()) : newest.toISOString().slice(0, 10)]),
  );
}

/** The local days of the successor's account. */
function openCalendar({ pullable: { connection }, now }: Page, { isSuccessor, successor }: ResourceHandover) {
  const account = isSuccessor ? connection.account : successor.facts;
  const { fallbackTimeZone } = connection;
  const zoneOn = createZoneFinder(account, fallbackTimeZone);
  const startOf = (day: string): DayStart => ({ day, ms: zoneOn(day).startOfDay(day).ms });
  const dayOf = (ms: number) => zoneOn(new Date(ms).toISOString().slice(0, 10)).dayOf(ms);
  return { account, fallbackTimeZone, startOf, dayOf, today: dayOf(now.getTime()) };
}

type Calendar = ReturnType<typeof openCalendar>;

/** The division with the resources that this page, or what is stored, shows to be delivered by the successor. */
async function withDelivered(
  context: Pick<IngestContext, 'connectorFor'>,
  tx: Tx,
  { pullable, records }: Page,
  { days, ending, successor, isSuccessor }: ResourceHandover,
  { startOf, dayOf, today }: Calendar,
): Promise<ResourceDays> {
  const since = startOf(addDays(today, -recentDays));
  const shown = (resource: string) => context.connectorFor(successor.provider)?.succeedsPerResource?.shownBy[resource] ?? resource;
  const unknown = Object.keys(days).filter((resource) => days[resource] === null && records.some((record) => record.resource === resource));
  const delivered = new Set(
    isSuccessor ? Object.keys(days).filter((resource) => !isOpen(days[resource]) && hasDataSince(records, shown(resource), since)) : [],
  );
  if (unknown.length + delivered.size === 0) return days;
  const newest = await newestDays(tx, pullable, ending.provider, dayOf);
  const stored = unknown.length === 0 ? newest : await newestDays(tx, pullable, successor.provider, dayOf);
  const isUnread = ending.connectionId !== null && (await isReadingHistory(tx, ending.connectionId));
  const divided = [...new Set([...unknown, ...delivered])].map((resource) => {
    const last = newest.get(resource);
    const known = days[resource] ?? null;
    // What is stored was read while the other was not connected or not known to belong to the same person.
    if (known === null && stored.has(shown(resource)))
      return [resource, openedAt([], last === undefined ? ever : startOf(addDays(last, 1)))];
    if (!delivered.has(resource)) return [resource, []];
    const firstDay = last === undefined ? (isUnread ? startOf(addDays(today, 1)) : ever) : startOf(addDays(last, 1));
    return [resource, openedAt(known ?? [], firstDay)];
  });
  return { ...days, ...Object.fromEntries(divided) };
}

/**
 * The records of a page on days that belong to its connection. Where the connection shares resources with a successor or an ending provider of
 * the same person, a resource goes to the successor once that one delivers it, from the day after the last that the ending provider has
 * stored: no day is read from both, and none is lost that only one of them has. While the successor is in error, the ending one continues.
 * The caller holds the user's lock, so that both connections see the same division.
 */
export async function divideDays(context: Pick<IngestContext, 'connectorFor'>, tx: Tx, page: Page): Promise<readonly CanonicalRecord[]> {
  const { connection, connector } = page.pullable;
  // All others cost no query.
  if (!connector.deprecated && connector.succeedsPerResource === undefined) return page.records;
  const handover = await readResourceHandover(tx, connection);
  if (!handover) return page.records;
  const { successor, isSuccessor } = handover;
  const calendar = openCalendar(page, handover);
  let days = await withDelivered(context, tx, page, handover, calendar);
  const isGone = successor.connectionId === null || successor.status === 'error';
  if (!isSuccessor && isGone && Object.values(days).some(isOpen)) {
    const lastDay = successor.connectionId === null ? null : await lastDayRead(tx, successor.connectionId);
    days = withoutSuccessor(days, { ...calendar, lastDay });
  }
  if (days !== handover.days) await saveResourceDays(tx, connection.userId, handover, days);
  return withinOwnDays(page.records, { days, isSuccessor });
}
