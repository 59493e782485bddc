import { ever, isOpen, joined, openedAt, type ResourceHandover, type Span } from '@pulsewire/connections';
import type { CanonicalRecord } from '@pulsewire/contract';
import type { Tx } from '@pulsewire/database';
import { addDays } from '@pulsewire/kernel';
import { historyDaysMax } from '@pulsewire/providers';
import { readStoredDays } from '@pulsewire/store';
import type { PlanContext } from '../context/context.ts';
import type { Pullable } from '../context/pullable.ts';
import type { Calendar } from './calendar.ts';
import { isStillReading } from './is-still-reading.ts';
import { firstRecentDay, shownBy } from './recent.ts';
import { readStoredExtents, type StoredExtent } from './stored-extents.ts';

export interface Page {
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

/** The days that only the successor has, of what was stored before the two were known to belong together. */
async function daysOfSuccessorOnly(
  tx: Tx,
  { connection: { teamId, userId } }: Pullable,
  { ending, successor }: ResourceHandover,
  stored: ReadonlyMap<string, StoredExtent>,
  { today, spanOf }: Calendar,
): Promise<ReadonlyMap<string, readonly Span[]>> {
  const oldest = addDays(today, -historyDaysMax - 1);
  const days = [...stored].flatMap(([resource, { first, last }]) => {
    const all: string[] = [];
    for (let day = first > oldest ? first : oldest; day <= last; day = addDays(day, 1)) all.push(day);
    return all.map((day) => ({ resource, day, fromMs: spanOf(day).from.ms, toMs: spanOf(day).to.ms }));
  });
  const own = await readStoredDays(tx, { teamId, userId, provider: successor.provider }, days);
  const taken = new Set(await readStoredDays(tx, { teamId, userId, provider: ending.provider }, own));
  const left = Map.groupBy(
    own.filter((day) => !taken.has(day)),
    ({ resource }) => resource,
  );
  return new Map(
    [...left].map(([resource, rows]) => [
      resource,
      joined(
        [],
        rows.map(({ day }) => spanOf(day)),
      ),
    ]),
  );
}

/** The days of the handover with the resources that this page, or what is stored, shows to be delivered by the successor. */
export async function recordDelivered(
  context: Pick<PlanContext, 'connectorFor'>,
  tx: Tx,
  { pullable, records }: Page,
  handover: ResourceHandover,
  calendar: Calendar,
): Promise<ResourceHandover['days']> {
  const { days, ending, successor, isSuccessor } = handover;
  const { today, startOf, dayOf } = calendar;
  const since = firstRecentDay(today);
  const newestGiven = (resource: string) => (isSuccessor ? newestDayOf(records, shownBy(context, handover, resource), dayOf) : '');
  const isUncompared = (resource: string) => days[resource] === null && records.some((record) => record.resource === resource);
  const isDelivered = (resource: string) => !isOpen(days[resource]) && newestGiven(resource) >= since;
  const decided = Object.keys(days).filter((resource) => isUncompared(resource) || isDelivered(resource));
  if (decided.length === 0) return days;
  const compared = decided.filter((resource) => days[resource] === null);
  const none: ReadonlyMap<string, StoredExtent> = new Map();
  const stored = compared.length === 0 ? none : await readStoredExtents(tx, pullable, successor.provider, calendar);
  const before = new Map([...stored].filter(([resource]) => compared.includes(resource)));
  const own = before.size === 0 ? new Map<string, readonly Span[]>() : await daysOfSuccessorOnly(tx, pullable, handover, before, calendar);
  const taken = await readStoredExtents(tx, pullable, ending.provider, calendar);
  const isUnread = await isStillReading(tx, ending);
  const divided = decided.map((resource): [string, readonly Span[]] => {
    const known = days[resource] ?? own.get(resource) ?? [];
    const newestStored = (days[resource] === null && stored.get(shownBy(context, handover, resource))?.last) || '';
    if (newestStored < since && newestGiven(resource) < since) return [resource, known];
    const last = taken.get(resource)?.last;
    // Until its history is read, nobody knows what the ending provider has of the days up to today.
    if (isUnread) return [resource, openedAt(known, startOf(addDays(today, 1)))];
    return [resource, openedAt(known, last === undefined ? ever : startOf(addDays(last, 1)))];
  });
  return { ...days, ...Object.fromEntries(divided) };
}
