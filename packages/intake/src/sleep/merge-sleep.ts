import type { CanonicalRecord } from '@pulsewire/contract';
import type { Tx } from '@pulsewire/database';
import { nightRecords, splitNights, type SleepSegment } from '@pulsewire/providers';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { deleteSegments, readSegments, saveSegments, type StoredSpan } from './segments.ts';

// Longer than any night, so that no night is cut where reading begins.
const marginMs = 36 * 3_600_000;

const textOf = (night: readonly SleepSegment[]) => JSON.stringify(night);

/**
 * Merges sleep segments, which arrive in any order and in any number of batches, with those already stored. Returns the
 * complete nights that changed, and removals of nights that were replaced by another one. The caller holds the user's lock.
 */
export async function mergeSleep(
  tx: Tx,
  owner: PhoneOwner,
  added: readonly SleepSegment[],
  removed: readonly StoredSpan[],
): Promise<CanonicalRecord[]> {
  const bySource = Map.groupBy([...added, ...removed], ({ sourceType, appId }) => JSON.stringify([sourceType, appId]));
  const records: CanonicalRecord[] = [];
  for (const [source, touched] of bySource) {
    const [sourceType = '', appId = ''] = JSON.parse(source) as string[];
    const place = {
      sourceType,
      appId,
      fromMs: touched.reduce((first, { startMs }) => Math.min(first, startMs), Number.POSITIVE_INFINITY) - marginMs,
      toMs: touched.reduce((last, { endMs }) => Math.max(last, endMs), Number.NEGATIVE_INFINITY) + marginMs,
    };
    const isHere = (span: { readonly sourceType: string; readonly appId: string }) =>
      span.sourceType === sourceType && span.appId === appId;
    const before = splitNights(await readSegments(tx, owner, place));
    await deleteSegments(tx, owner, removed.filter(isHere));
    await saveSegments(tx, owner, added.filter(isHere));
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
