import { dayMs } from '@pulsewire/kernel';
import { and, eq, gte, lte } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import { healthKitApp, nightGapMs, splitNights, withoutDevice, type PhoneWriter, type SleepSegment } from '@pulsewire/providers';
import type { VersionedOwner } from '../model/phone-owner.ts';
import { phoneNightSegments } from '../model/tables.ts';
import { betterApp, compareApps, isSameDevice, writerOfBoth } from './same-writer.ts';

/** Segments of a batch under the writer that they have in what is stored. */
export interface AdoptedSegments {
  /** With the segments of nights that were stored under another name of their writer. */
  readonly added: readonly SleepSegment[];
  /** Where those were. */
  readonly removed: readonly SleepSegment[];
  readonly learnt: readonly PhoneWriter[];
}

interface Stored extends SleepSegment {
  readonly isOlder: boolean;
}

// Longer than any night.
const marginMs = 36 * 3_600_000;

/** All segments of the user around these, of all writers. */
async function readAround(
  { orm }: Tx,
  { teamId, userId, provider, version }: VersionedOwner,
  added: readonly SleepSegment[],
): Promise<Stored[]> {
  const of = phoneNightSegments;
  const fromMs = added.reduce((first, { startMs }) => Math.min(first, startMs), Number.POSITIVE_INFINITY) - marginMs;
  const toMs = added.reduce((last, { endMs }) => Math.max(last, endMs), Number.NEGATIVE_INFINITY) + marginMs;
  const isThere = and(gte(of.startAt, new Date(fromMs).toISOString()), lte(of.startAt, new Date(toMs).toISOString()));
  const isOwn = and(eq(of.teamId, teamId), eq(of.userId, userId), eq(of.provider, provider));
  const rows = await run(orm.select().from(of).where(and(isOwn, isThere)));
  return rows.map(({ startAt, endAt, tzOffset, version: storedAt, itemId, parentId, sourceType, appId, stage, score }) => ({
    itemId,
    parentId,
    sourceType,
    appId,
    stage,
    score,
    startMs: Date.parse(startAt),
    endMs: Date.parse(endAt),
    offset: tzOffset,
    isOlder: storedAt < version,
  }));
}

const spanOf = ({ stage, startMs, endMs }: SleepSegment) => `${startMs} ${endMs} ${stage}`;
const sourceKeyOf = ({ sourceType, appId }: SleepSegment) => JSON.stringify([sourceType, appId]);
const writerOf = ({ sourceType, appId }: SleepSegment) => ({ type: sourceType, appId: appId === '' ? null : appId });

/** A night in which less than this is the same could be of two writers. */
const sharedMin = 2;

/** How many segments of both are the same. */
const sharedBy = (own: readonly SleepSegment[], spans: ReadonlySet<string>) => own.filter((one) => spans.has(spanOf(one))).length;

/**
 * Brings the segments of a batch and what is stored of the same writer under one name: a phone states bundle ids and an export names, and
 * earlier versions kept the id of a device, or nothing. What only the same segments can tell is decided by them: a name and a bundle id that
 * share segments are one writer. Nights that were stored under another name are moved. Only for HealthKit. The caller holds the user's lock.
 */
export async function adoptSegments(
  tx: Tx,
  owner: VersionedOwner,
  sent: readonly SleepSegment[],
  known: readonly PhoneWriter[],
): Promise<AdoptedSegments> {
  if (owner.provider !== 'apple_health_kit' || sent.length === 0) return { added: sent, removed: [], learnt: [] };
  const stored = [...Map.groupBy(await readAround(tx, owner, sent), sourceKeyOf).values()];
  const added: SleepSegment[] = [];
  const removed: SleepSegment[] = [];
  const learnt: PhoneWriter[] = [];
  for (const own of Map.groupBy(sent, sourceKeyOf).values()) {
    const spans = new Set(own.map(spanOf));
    const writer = writerOf(own[0] as SleepSegment);
    let segments: readonly SleepSegment[] = own;
    for (const theirs of stored) {
      const other = writerOf(theirs[0] as SleepSegment);
      if (other.appId === writer.appId && other.type === writer.type) continue;
      if (!isSameDevice(writer.type, other.type)) continue;
      const relation = compareApps(writer.appId, other.appId, known);
      const shared = sharedBy(theirs, spans);
      if (relation === 'other' || (relation === 'unclear' && shared < Math.min(sharedMin, own.length))) continue;
      const both = relation === 'unclear' ? writerOfBoth(writer, other) : null;
      if (both) learnt.push(both);
      if ((relation === 'same' || both) && betterApp(writer.appId, other.appId) !== withoutDevice(writer.appId)) {
        // What an export names is stored under the bundle id that the phone has stated.
        segments = segments.map((one) => ({ ...one, appId: other.appId ?? '', sourceType: other.type }));
        continue;
      }
      const former = relation === 'same' || both ? nightsNear(theirs, own) : theirs.filter((one) => isFormer(one, writer.appId, spans));
      removed.push(...former);
      added.push(...former.map((one) => ({ ...one, appId: writer.appId ?? '', sourceType: writer.type })));
    }
    added.push(...segments);
  }
  return { added, removed, learnt };
}

/** What an earlier import has stored of these segments of an app, under the name of no writer or of HealthKit. */
const isFormer = (one: Stored, appId: string | null, spans: ReadonlySet<string>) =>
  appId !== null && appId !== healthKitApp && one.itemId === '' && one.isOlder && spans.has(spanOf(one));

/** The segments of whole nights of which a part lies near these. */
function nightsNear(theirs: readonly Stored[], own: readonly SleepSegment[]): Stored[] {
  const inOrder = theirs.toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
  const sentInOrder = own.toSorted((a, b) => a.startMs - b.startMs);
  let next = 0;
  return splitNights(inOrder).flatMap((night) => {
    const [fromMs, toMs] = [(night[0] as SleepSegment).startMs - nightGapMs, Math.max(...night.map(({ endMs }) => endMs)) + nightGapMs];
    // Segments are shorter than a day, so those that ended a day before a night are never needed again.
    while ((sentInOrder[next]?.startMs ?? Number.POSITIVE_INFINITY) < fromMs - dayMs) next += 1;
    let place = next;
    while ((sentInOrder[place]?.startMs ?? Number.POSITIVE_INFINITY) <= toMs) {
      if ((sentInOrder[place]?.endMs ?? 0) >= fromMs) return night as Stored[];
      place += 1;
    }
    return [];
  });
}
