import { and, eq, sql } from 'drizzle-orm';
import type { CanonicalRecord, SampleRemoval, SummaryRemoval } from '@pulsewire/contract';
import { plainArray, run, textArray, type Tx } from '@pulsewire/database';
import type { PhoneItemRef } from '@pulsewire/providers';
import { forgetPressures } from '../pressures/pair-pressures.ts';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { phoneItems } from '../model/tables.ts';

/** What an item became: a summary, or a sample. */
export type ItemPlace = Pick<PhoneItemRef, 'resource' | 'subKind' | 'sourceType' | 'atMs' | 'summaryId'>;

const keyOf = ({ resource, subKind, sourceType, atMs, summaryId }: ItemPlace) =>
  summaryId ?? JSON.stringify([resource, subKind, sourceType, atMs]);

export function toRemoval(provider: string, { resource, subKind, sourceType, atMs, summaryId }: ItemPlace): SampleRemoval | SummaryRemoval {
  if (summaryId !== null) return { kind: 'summary_removal', resource, id: summaryId };
  return { kind: 'sample_removal', resource, ...(subKind !== '' && { subKind }), source: { provider, type: sourceType }, ts: [atMs] };
}

/** The records without those that are no longer true: an item that a batch holds several times counts in its last form. */
function withoutPlaces(records: readonly CanonicalRecord[], gone: ReadonlySet<string>): readonly CanonicalRecord[] {
  if (gone.size === 0) return records;
  return records.flatMap((record): CanonicalRecord[] => {
    if (record.kind === 'summary') return gone.has(record.id) ? [] : [record];
    if (record.kind === 'stream') return gone.has(record.workoutId) ? [] : [record];
    if (record.kind !== 'samples') return [record];
    const { resource, subKind = '', source } = record;
    const isGone = (atMs: number) => gone.has(keyOf({ resource, subKind, sourceType: source.type, atMs, summaryId: null }));
    return [{ ...record, samples: record.samples.filter(({ ts }) => !isGone(ts)) }];
  });
}

async function findStored({ orm }: Tx, { teamId, userId, provider }: PhoneOwner, ids: readonly string[]): Promise<PhoneItemRef[]> {
  const isItem = and(
    eq(phoneItems.teamId, teamId),
    eq(phoneItems.userId, userId),
    eq(phoneItems.provider, provider),
    // One parameter, so that a batch may name any number of items.
    sql`${phoneItems.itemId} = ANY(${textArray(ids)}::text[])`,
  );
  return (await run(orm.select().from(phoneItems).where(isItem))).map(({ at, ...row }) => ({ ...row, atMs: Date.parse(at) }));
}

/** Those of these places that items other than the named ones have too. Reads all items of the user: items rarely move. */
async function findShared(
  { sql: query }: Tx,
  { teamId, userId, provider }: PhoneOwner,
  places: readonly ItemPlace[],
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const texts = (pick: (place: ItemPlace) => string) => textArray(places.map(pick));
  const rows = await query<{ key: string }[]>`
    SELECT DISTINCT g.key FROM phone_items o
    JOIN unnest(${texts(keyOf)}::text[], ${texts(({ resource }) => resource)}::text[], ${texts(({ subKind }) => subKind)}::text[],
      ${texts(({ sourceType }) => sourceType)}::text[], ${plainArray(places.map(({ atMs }) => atMs))}::float8[], ${texts(({ summaryId }) => summaryId ?? '')}::text[])
      AS g(key, resource, sub_kind, source_type, at, summary_id)
    ON CASE WHEN g.summary_id <> '' THEN o.summary_id = g.summary_id::uuid
      ELSE o.summary_id IS NULL AND o.resource = g.resource AND o.sub_kind = g.sub_kind AND o.source_type = g.source_type AND o.at = to_timestamp(g.at / 1000) END
    WHERE o.user_id = ${userId} AND o.team_id = ${teamId} AND o.provider = ${provider} AND o.item_id <> ALL(${textArray(ids)}::text[])`;
  return new Set(rows.map(({ key }) => key));
}

export interface MovedItems {
  /** Those of the batch that hold. */
  readonly records: readonly CanonicalRecord[];
  readonly removals: readonly (SampleRemoval | SummaryRemoval)[];
}

/**
 * Finds what the items of a batch were before, where they have come again with another time, end or kind: an id names one thing, so what it
 * named before is removed, unless another item is at the same place. The caller holds the user's lock and stores the items afterwards.
 */
export async function findMoved(
  tx: Tx,
  owner: PhoneOwner,
  refs: readonly PhoneItemRef[],
  records: readonly CanonicalRecord[],
): Promise<MovedItems> {
  if (refs.length === 0) return { records, removals: [] };
  const present = new Map(refs.map((ref) => [ref.itemId, keyOf(ref)]));
  const ids = [...present.keys()];
  const isMoved = (ref: PhoneItemRef) => present.get(ref.itemId) !== keyOf(ref);
  const kept = new Set(present.values());
  const former = [...(await findStored(tx, owner, ids)), ...refs].filter((ref) => isMoved(ref) && !kept.has(keyOf(ref)));
  if (former.length === 0) return { records, removals: [] };
  const places = [...new Map(former.map((ref) => [keyOf(ref), ref])).values()];
  const shared = await findShared(tx, owner, places, ids);
  const gone = places.filter((place) => !shared.has(keyOf(place)));
  await forgetPressures(
    tx,
    owner,
    gone.filter(({ resource }) => resource === 'blood_pressure'),
  );
  return { records: withoutPlaces(records, new Set(gone.map(keyOf))), removals: gone.map((place) => toRemoval(owner.provider, place)) };
}
