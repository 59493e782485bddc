import { and, eq, sql } from 'drizzle-orm';
import type { CanonicalRecord } from '@pulsewire/contract';
import { run, textArray, type Tx } from '@pulsewire/database';
import type { DeletedSample } from '@pulsewire/providers';
import type { StoredSpan } from '../sleep/segments.ts';
import { forgetPressures } from '../pressures/pair-pressures.ts';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { phoneItems, phoneSleepSegments } from '../model/tables.ts';
import { findDeletedSamples } from './sample-ids.ts';

/** The removals caused by items that were deleted on the phone. */
export interface RemovedItems {
  readonly records: readonly CanonicalRecord[];
  /** Deleted sleep segments; the nights that contained them are rebuilt. */
  readonly segments: readonly StoredSpan[];
}

/** The removals of items by their ids; of `samples`, those that are known by no other list are looked up. Unknown ids are ignored. */
export async function removeDeleted(
  tx: Tx,
  owner: PhoneOwner,
  itemIds: readonly string[],
  samples: readonly DeletedSample[],
): Promise<RemovedItems> {
  const { teamId, userId, provider } = owner;
  if (itemIds.length === 0) return { records: [], segments: [] };
  // One parameter, so that a batch may delete any number of items.
  const ids = textArray(itemIds.map((id) => id.toWellFormed().replaceAll('\0', '')));
  const { orm } = tx;
  const isItem = and(
    eq(phoneItems.teamId, teamId),
    eq(phoneItems.userId, userId),
    eq(phoneItems.provider, provider),
    sql`${phoneItems.itemId} = ANY(${ids}::text[])`,
  );
  const rows = await run(orm.delete(phoneItems).where(isItem).returning());
  await forgetPressures(
    tx,
    owner,
    rows.filter(({ resource }) => resource === 'blood_pressure'),
  );
  const isSegment = and(
    eq(phoneSleepSegments.teamId, teamId),
    eq(phoneSleepSegments.userId, userId),
    eq(phoneSleepSegments.provider, provider),
    sql`${phoneSleepSegments.itemId} = ANY(${ids}::text[])`,
  );
  const segments = await run(orm.select().from(phoneSleepSegments).where(isSegment));
  const known = new Set([...rows, ...segments].map(({ itemId }) => itemId));
  const frequent = await findDeletedSamples(
    tx,
    owner,
    samples.filter(({ itemId }) => !known.has(itemId)),
  );
  const records = rows.map(({ resource, subKind, sourceType, at, summaryId }): CanonicalRecord =>
    summaryId === null
      ? {
          kind: 'sample_removal',
          resource,
          ...(subKind !== '' && { subKind }),
          source: { provider, type: sourceType },
          ts: [Date.parse(at)],
        }
      : { kind: 'summary_removal', resource, id: summaryId },
  );
  return {
    records: [...records, ...frequent],
    segments: segments.map(({ sourceType, appId, startAt, endAt, stage }) => ({
      sourceType,
      appId,
      stage,
      startMs: Date.parse(startAt),
      endMs: Date.parse(endAt),
    })),
  };
}
