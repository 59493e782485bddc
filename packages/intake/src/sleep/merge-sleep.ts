import type { CanonicalRecord } from '@pulsewire/contract';
import type { Tx } from '@pulsewire/database';
import { nightRecords, splitNights, type SleepSegment } from '@pulsewire/providers';
import type { VersionedOwner } from '../model/phone-owner.ts';
import { findStale } from '../model/find-stale.ts';
import { deleteSegments, findSegments, nightMarginMs, readSegments, saveSegments } from './segments.ts';

const textOf = (night: readonly SleepSegment[]) => JSON.stringify(night);
const withPlace = <Segment extends SleepSegment>(segment: Segment) => {
  const { sourceType, appId, stage, startMs, endMs } = segment;
  return { ...segment, place: JSON.stringify([sourceType, appId, stage, startMs, endMs]) };
};

/** What items were before they were sent again with another time or stage, and the parts that sessions no longer have. */
async function findReplaced(tx: Tx, owner: VersionedOwner, added: readonly SleepSegment[]): Promise<SleepSegment[]> {
  if (added.length === 0) return [];
  const idsOf = (pick: (segment: SleepSegment) => string) => added.map((segment) => pick(segment));
  const former = await findSegments(
    tx,
    owner,
    idsOf(({ itemId }) => itemId),
    idsOf(({ parentId }) => parentId),
  );
  return findStale(former.map(withPlace), added.map(withPlace), owner);
}

/**
 * Merges sleep segments, which arrive in any order and in any number of batches, with those already stored. Returns the
 * complete nights that changed, and removals of nights that were replaced by another one. The caller holds the user's lock.
 */
export async function mergeSleep(
  tx: Tx,
  owner: VersionedOwner,
  added: readonly SleepSegment[],
  deleted: readonly SleepSegment[],
): Promise<CanonicalRecord[]> {
  const removed = [...deleted, ...(await findReplaced(tx, owner, added))];
  const bySource = Map.groupBy([...added, ...removed], ({ sourceType, appId }) => JSON.stringify([sourceType, appId]));
  const records: CanonicalRecord[] = [];
  for (const [source, touched] of bySource) {
    const [sourceType = '', appId = ''] = JSON.parse(source) as string[];
    const place = {
      sourceType,
      appId,
      fromMs: touched.reduce((first, { startMs }) => Math.min(first, startMs), Number.POSITIVE_INFINITY) - nightMarginMs,
      toMs: touched.reduce((last, { endMs }) => Math.max(last, endMs), Number.NEGATIVE_INFINITY) + nightMarginMs,
    };
    const isHere = (span: { readonly sourceType: string; readonly appId: string }) =>
      span.sourceType === sourceType && span.appId === appId;
    const before = splitNights(await readSegments(tx, owner, place));
    await deleteSegments(tx, owner, removed.filter(isHere));
    await saveSegments(tx, owner, owner.version, added.filter(isHere));
    const after = splitNights(await readSegments(tx, owner, place));
    const known = new Set(before.map(textOf));
    const changed = after.filter((night) => !known.has(textOf(night)));
    const made = changed.flatMap((night) => nightRecords(owner, night));
    const kept = new Set(after.flatMap((night) => nightRecords(owner, night)).map(({ id }) => id));
    const gone = before.flatMap((night) => nightRecords(owner, night)).filter(({ id }) => !kept.has(id));
    records.push(...made, ...gone.map(({ id, resource }): CanonicalRecord => ({ kind: 'summary_removal', resource, id })));
  }
  return records;
}
