import type { SampleRemoval } from '@pulsewire/contract';
import { byteaArray, plainArray, textArray, type Tx } from '@pulsewire/database';
import type { DeletedSample, FrequentItem } from '@pulsewire/providers';
import type { PhoneOwner, VersionedOwner } from '../model/phone-owner.ts';
import { eachId, hashOf, toLists, type IdList } from './id-lists.ts';

/** The removal of samples, or of one kind of the amounts that they are made of. */
export interface PartRemoval extends SampleRemoval {
  /** Empty where samples have one kind only. */
  readonly part: string;
}

export function toPartRemoval(provider: string, series: string, sourceType: string, times: Iterable<number>): PartRemoval {
  const [resource = '', part = ''] = series.split('/');
  return { kind: 'sample_removal', resource, part, source: { provider, type: sourceType }, ts: [...times].sort((a, b) => a - b) };
}

/** Remembers which samples the items of a batch became, in the order in which they were written. One statement. */
export async function saveSampleIds(
  { sql }: Tx,
  { teamId, userId, provider, version }: VersionedOwner,
  items: readonly FrequentItem[],
): Promise<void> {
  if (items.length === 0) return;
  const lists = toLists(items);
  await sql`
    INSERT INTO phone_sample_ids (user_id, provider, team_id, version, resource, source_type, has_parents, ids, from_at, to_at)
    SELECT ${userId}::uuid, ${provider}, ${teamId}::uuid, ${version.toString()}::bigint, b.resource, b.source_type, b.has_parents, b.ids,
      to_timestamp(b.from_ms / 1000), to_timestamp(b.to_ms / 1000)
    FROM unnest(${textArray(lists.map(({ series }) => series))}::text[], ${textArray(lists.map(({ sourceType }) => sourceType))}::text[],
      ${plainArray(lists.map(({ hasParents }) => hasParents))}::boolean[], ${byteaArray(lists.map(({ ids }) => ids))}::bytea[],
      ${plainArray(lists.map(({ fromMs }) => fromMs))}::float8[], ${plainArray(lists.map(({ toMs }) => toMs))}::float8[])
      AS b(resource, source_type, has_parents, ids, from_ms, to_ms)`;
}

/** Lists of one page, at most 2,000 items each. */
const pageLists = 50;

/**
 * The removals of frequent samples by the ids of their items, or of the records that contain them. A sample that another item has replaced
 * stays. Reads all ids of the user's series, a page at a time: deletions are rare.
 */
export async function findDeletedSamples(
  { sql }: Tx,
  { teamId, userId, provider }: PhoneOwner,
  deleted: readonly DeletedSample[],
): Promise<PartRemoval[]> {
  if (deleted.length === 0) return [];
  const wanted = new Set(deleted.map(({ itemId }) => hashOf(itemId)));
  const isAny = deleted.some(({ resource }) => resource === null);
  const resources = textArray([...new Set(deleted.map(({ resource }) => resource ?? ''))]);
  const timesOf = new Map<string, Map<number, string>>();
  const pages = sql<IdList[]>`
    SELECT resource AS series, source_type AS "sourceType", has_parents AS "hasParents", ids FROM phone_sample_ids
    WHERE user_id = ${userId} AND team_id = ${teamId} AND provider = ${provider} AND (${isAny} OR split_part(resource, '/', 1) = ANY(${resources}::text[]))
    ORDER BY version, block`.cursor(pageLists);
  for await (const page of pages)
    for (const list of page) {
      const key = JSON.stringify([list.series, list.sourceType]);
      const times = timesOf.get(key) ?? new Map<number, string>();
      timesOf.set(key, times);
      eachId(list, null, ({ id, parent, atMs }) => {
        if (wanted.has(id) || (parent !== '' && wanted.has(parent))) times.set(atMs, id);
        else times.delete(atMs);
      });
    }
  return [...timesOf].flatMap(([key, times]) => {
    const [series, sourceType] = JSON.parse(key) as [string, string];
    return times.size === 0 ? [] : [toPartRemoval(provider, series, sourceType, times.keys())];
  });
}
