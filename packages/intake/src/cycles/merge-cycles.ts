import type { CanonicalRecord } from '@pulsewire/contract';
import type { Tx } from '@pulsewire/database';
import { cycleRecords, type PhoneCycleItem } from '@pulsewire/providers';
import { saveItems } from '../items/save-items.ts';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { deleteCycleItems, findCycleItems, readCycleItems, toRef } from './cycle-items.ts';

// More than a cycle and a period on both sides, so that no cycle that changes is cut where reading begins or ends.
const marginMs = 400 * 86_400_000;

/**
 * Merges entries about menstrual cycles, which arrive in any order and in any number of batches, with those already stored. Returns the
 * cycles that changed, and removals of cycles that ceased to exist, as when an earlier day of a period arrives. The caller holds the user's
 * lock.
 */
export async function mergeCycles(
  tx: Tx,
  owner: PhoneOwner,
  added: readonly PhoneCycleItem[],
  deletedIds: readonly string[],
): Promise<CanonicalRecord[]> {
  if (added.length === 0 && deletedIds.length === 0) return [];
  const former = await findCycleItems(tx, owner, [...added.map(({ itemId }) => itemId), ...deletedIds]);
  const touched = [...added, ...former].map(({ atMs }) => atMs);
  if (touched.length === 0) return [];
  const place = {
    fromMs: touched.reduce((first, ms) => Math.min(first, ms), Number.POSITIVE_INFINITY) - marginMs,
    toMs: touched.reduce((last, ms) => Math.max(last, ms), Number.NEGATIVE_INFINITY) + marginMs,
  };
  const before = cycleRecords(owner, await readCycleItems(tx, owner, place));
  await deleteCycleItems(tx, owner, deletedIds);
  await saveItems(tx, owner, added.map(toRef));
  const after = cycleRecords(owner, await readCycleItems(tx, owner, place));
  const known = new Map(before.map((cycle) => [cycle.id, JSON.stringify(cycle)]));
  const kept = new Set(after.map(({ id }) => id));
  const gone = before.filter(({ id }) => !kept.has(id));
  return [
    ...after.filter((cycle) => known.get(cycle.id) !== JSON.stringify(cycle)),
    ...gone.map(({ id, resource }): CanonicalRecord => ({ kind: 'summary_removal', resource, id })),
  ];
}
