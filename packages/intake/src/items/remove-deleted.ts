import { and, eq, sql } from 'drizzle-orm';
import type { CanonicalRecord } from '@pulsewire/contract';
import { run, textArray, type Tx } from '@pulsewire/database';
import type { DeletedSample, SleepSegment } from '@pulsewire/providers';
import { forgetPressures } from '../pressures/pair-pressures.ts';
import { findSegments } from '../sleep/segments.ts';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { phoneItems } from '../model/tables.ts';
import { toRemoval } from './moved-items.ts';
import { findDeletedSamples, type PartRemoval } from './sample-ids.ts';

/** The removals caused by items that were deleted on the phone. */
export interface RemovedItems {
  readonly records: readonly CanonicalRecord[];
  /** Of frequent series. */
  readonly samples: readonly PartRemoval[];
  /** Deleted sleep segments; the nights that contained them are rebuilt. */
  readonly segments: readonly SleepSegment[];
}

/** The removals of items by their ids, or by that of the record that they are part of; of `samples`, those that are known by no other list are looked up. Unknown ids are ignored. */
export async function removeDeleted(
  tx: Tx,
  owner: PhoneOwner,
  itemIds: readonly string[],
  samples: readonly DeletedSample[],
): Promise<RemovedItems> {
  const { teamId, userId, provider } = owner;
  if (itemIds.length === 0) return { records: [], samples: [], segments: [] };
  // One parameter, so that a batch may delete any number of items.
  const ids = textArray(itemIds.map((id) => id.toWellFormed().replaceAll('\0', '')));
  const { orm } = tx;
  const isNamed = sql`(${phoneItems.itemId} = ANY(${ids}::text[]) OR (${phoneItems.parentId} IS NOT NULL AND ${phoneItems.parentId} = ANY(${ids}::text[])))`;
  const isItem = and(eq(phoneItems.teamId, teamId), eq(phoneItems.userId, userId), eq(phoneItems.provider, provider), isNamed);
  const rows = (await run(orm.delete(phoneItems).where(isItem).returning())).map(({ at, ...row }) => ({ ...row, atMs: Date.parse(at) }));
  await forgetPressures(
    tx,
    owner,
    rows.filter(({ resource }) => resource === 'blood_pressure'),
  );
  const segments = await findSegments(tx, owner, itemIds, itemIds);
  const known = new Set([...rows, ...segments].flatMap(({ itemId, parentId }) => [itemId, parentId]));
  const frequent = await findDeletedSamples(
    tx,
    owner,
    samples.filter(({ itemId }) => !known.has(itemId)),
  );
  return { records: rows.map((row) => toRemoval(provider, row)), samples: frequent, segments };
}
