import { joined, without, type ResourceHandover, type Span } from '@pulsewire/connections';
import type { CanonicalRecord } from '@pulsewire/contract';
import type { Tx } from '@pulsewire/database';
import { addDays } from '@pulsewire/kernel';
import { readStoredDays, type ResourceDay } from '@pulsewire/store';
import type { PlanContext } from '../context/context.ts';
import type { Calendar } from './calendar.ts';
import { isStillReading } from './is-still-reading.ts';
import { shownBy } from './recent.ts';
import type { Page } from './record-delivered.ts';

/**
 * The successor has this many days to deliver a day of its own, because trackers are synchronised late. Pulls of the ending provider read at
 * least as many days again, so that no day is too young for one poll and too old for the next.
 */
const lateDays = 5;

/** The instants of a record, or the day of one that has only a day. */
function timesOf(record: CanonicalRecord): readonly (number | string)[] {
  switch (record.kind) {
    case 'samples':
      return record.samples.map(({ ts }) => ts);
    case 'summary':
      return record.calendarDate === null ? [] : [record.calendarDate];
    case 'stream':
      return record.data.time.slice(0, 1).map((seconds) => seconds * 1000);
    case 'summary_removal':
    case 'sample_removal':
      return [];
  }
}

/** The days of shared resources in these records that belong to the other connection. */
function foreignDays(records: readonly CanonicalRecord[], { days, isSuccessor }: ResourceHandover, calendar: Calendar): ResourceDay[] {
  const found = new Map<string, ResourceDay>();
  for (const record of records) {
    if (!Object.hasOwn(days, record.resource)) continue;
    const spans = days[record.resource] ?? [];
    let last: ResourceDay | undefined;
    for (const time of timesOf(record)) {
      // Samples come in the order of their time: most are on the day of the one before.
      if (last && typeof time === 'number' && time >= last.fromMs && time < last.toMs) continue;
      const day = typeof time === 'number' ? calendar.dayOf(time) : time;
      const { from, to } = calendar.spanOf(day);
      last = { resource: record.resource, day, fromMs: from.ms, toMs: to.ms };
      const isSuccessors = spans.some((span) => day >= span.from.day && (span.to === null || day < span.to.day));
      if (isSuccessors !== isSuccessor) found.set(`${record.resource} ${day}`, last);
    }
  }
  return [...found.values()];
}

/** Those of the other's days that the connection may have if the other one has nothing of them. */
async function claimable(
  context: Pick<PlanContext, 'connectorFor'>,
  tx: Tx,
  user: { readonly teamId: string; readonly userId: string },
  foreign: readonly ResourceDay[],
  handover: ResourceHandover,
  { today }: Calendar,
): Promise<readonly ResourceDay[]> {
  const lastDue = addDays(today, -lateDays);
  const due = foreign.filter(({ day }) => day <= lastDue);
  if (!handover.isSuccessor) return due;
  // A clock that is ahead takes no days.
  const late = foreign.filter(({ day }) => day > lastDue && day <= addDays(today, 1));
  const proofs = late.map((day) => ({ ...day, resource: shownBy(context, handover, day.resource) }));
  // Values that nothing was measured for must not take a day that the ending provider may still deliver.
  const unproven = proofs.filter(({ resource }, index) => resource !== late[index]?.resource);
  const shown = new Set(await readStoredDays(tx, { ...user, provider: handover.successor.provider }, unproven));
  return [...due, ...late.filter((day, index) => proofs[index]?.resource === day.resource || shown.has(proofs[index] ?? day))];
}

/**
 * The handover with those days of this page for its connection that belong to the other one, but that the other one has nothing of: no day is
 * lost that only one of them has. While the history of the other one is being read, the resources are to be read again later instead.
 */
export async function claimForSuccessor(
  context: Pick<PlanContext, 'connectorFor'>,
  tx: Tx,
  { pullable: { connection }, records }: Page,
  handover: ResourceHandover,
  calendar: Calendar,
): Promise<Pick<ResourceHandover, 'days' | 'again'>> {
  const { days, again, isSuccessor, successor, ending } = handover;
  const unchanged = { days, again };
  // When the successor stops, planning gives its days back; while it is paused, they wait.
  if (!isSuccessor && successor.status !== 'connected') return unchanged;
  const [side, other] = isSuccessor ? (['successor', ending] as const) : (['ending', successor] as const);
  const { teamId, userId } = connection;
  const foreign = await claimable(context, tx, { teamId, userId }, foreignDays(records, handover, calendar), handover, calendar);
  if (foreign.length === 0) return unchanged;
  const stored = new Set(await readStoredDays(tx, { teamId, userId, provider: other.provider }, foreign));
  const free = foreign.filter((day) => !stored.has(day));
  if (free.length === 0) return unchanged;
  const byResource = Map.groupBy(free, ({ resource }) => resource);
  if (await isStillReading(tx, other)) {
    const missing = [...byResource.keys()].filter((resource) => !again[side].includes(resource));
    return missing.length === 0 ? unchanged : { days, again: { ...again, [side]: [...again[side], ...missing].toSorted() } };
  }
  const take = (spans: readonly Span[], more: readonly Span[]) => (isSuccessor ? joined(spans, more) : without(spans, more));
  const claimed = [...byResource].map(([resource, rows]) => [
    resource,
    take(
      days[resource] ?? [],
      rows.map(({ day }) => calendar.spanOf(day)),
    ),
  ]);
  return { days: { ...days, ...Object.fromEntries(claimed) }, again };
}
