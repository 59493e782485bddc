import {
  endedAt,
  ever,
  isOpen,
  openedAt,
  readResourceHandover,
  saveResourceDays,
  withoutSuccessor,
  type DayStart,
  type ResourceDays,
  type ResourceHandover,
  type Span,
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

/** The newest day of a resource in these records; empty: there is none. */
function newestDayOf(records: readonly CanonicalRecord[], resource: string, dayOf: (ms: number) => string): string {
  const [days, times]: [string[], number[]] = [[''], []];
  for (const record of records) {
    if (record.resource !== resource) continue;
    if (record.kind === 'samples') times.push(record.samples.reduce((last, { ts }) => Math.max(last, ts), Number.NEGATIVE_INFINITY));
    else if (record.kind === 'summary' && record.calendarDate !== null) days.push(record.calendarDate);
  }
  return [...days, ...times.filter(Number.isFinite).map(dayOf)].reduce((a, b) => (a > b ? a : b));
}

/** The first and the last stored day of each resource of a provider. */
async function storedDays(tx: Tx, { connection }: Pullable, provider: string, dayOf: (ms: number) => string) {
  const extents = await readDataExtents(tx, { teamId: connection.teamId, userIds: [connection.userId], provider });
  return new Map(
    extents.map(({ resource, oldest, newest, days }) => {
      // The date of a summary is given as midnight of UTC.
      const read = (at: Date) => (days === null ? dayOf(at.getTime()) : at.toISOString().slice(0, 10));
      return [resource, { first: read(oldest), last: read(newest) }];
    }),
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
  const since = addDays(today, -recentDays);
  const shown = (resource: string) => context.connectorFor(successor.provider)?.succeedsPerResource?.shownBy[resource] ?? resource;
  const newestGiven = (resource: string) => (isSuccessor ? newestDayOf(records, shown(resource), dayOf) : '');
  const isUnknown = (resource: string) => days[resource] === null && records.some((record) => record.resource === resource);
  // Decided by a page of the ending provider, or while its history was being read.
  const isUndecided = (resource: string) => days[resource]?.length === 0 && newestGiven(resource) !== '';
  const unknown = Object.keys(days).filter((resource) => isUnknown(resource) || isUndecided(resource));
  const delivered = Object.keys(days).filter((resource) => !isOpen(days[resource]) && newestGiven(resource) >= since);
  if (unknown.length + delivered.length === 0) return days;
  const taken = await storedDays(tx, pullable, ending.provider, dayOf);
  const stored = unknown.length === 0 ? taken : await storedDays(tx, pullable, successor.provider, dayOf);
  const isUnread = ending.connectionId !== null && (await isReadingHistory(tx, ending.connectionId));
  const tomorrow = addDays(today, 1);
  const divided = [...new Set([...unknown, ...delivered])].map((resource): [string, readonly Span[]] => {
    const known = days[resource] ?? [];
    // What is stored was read while the other was not connected or not known to belong to the same person.
    const newestStored = (days[resource] === null && stored.get(shown(resource))?.last) || '';
    const { first, last } = taken.get(resource) ?? {};
    // A clock that is years ahead must not keep the resource from the successor for as long.
    const next = last === undefined ? undefined : addDays(last < tomorrow ? last : tomorrow, 1);
    const isUnclear = isUnread && newestStored === '';
    // It often reads a longer history. While that of the ending provider is being read, nobody knows where it begins.
    const earlier = first === undefined || isUnread ? [] : [{ from: ever, to: startOf(first) }];
    const spans = openedAt(known.length > 0 ? known : earlier, next === undefined ? (isUnclear ? startOf(tomorrow) : ever) : startOf(next));
    const own = newestStored > newestGiven(resource) ? newestStored : newestGiven(resource);
    if (own >= since) return [resource, spans];
    // It has the days that only it has delivered, and the ending provider those after its last.
    return [resource, own === '' || isUnclear ? [] : endedAt(spans, startOf(addDays(own, 1)))];
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
  if (days !== handover.days) await saveResourceDays(tx, connection, handover, days);
  return withinOwnDays(page.records, { days, isSuccessor });
}
