import { plainArray, textArray, type Tx } from '@pulsewire/database';
import type { FrequentItem } from '@pulsewire/providers';
import { findStale, type FormerItem } from '../model/find-stale.ts';
import type { PhoneOwner, VersionedOwner } from '../model/phone-owner.ts';
import { eachId, hashOf, prefixesOf, seriesOf, type IdList } from './id-lists.ts';
import { toPartRemoval, type PartRemoval } from './sample-ids.ts';

/** A record is looked for so far before and after its new time: all lists of a user are too many to read with every batch. */
const reachMs = 3 * 86_400_000;
const pageLists = 50;

interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The times of items with the reach around them, as few ranges as possible: a late item must not make the whole history be read. */
function rangesOf(items: readonly FrequentItem[]): TimeRange[] {
  const ranges: { fromMs: number; toMs: number }[] = [];
  for (const atMs of items.map((item) => item.atMs).sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && atMs - reachMs <= last.toMs) last.toMs = atMs + reachMs;
    else ranges.push({ fromMs: atMs - reachMs, toMs: atMs + reachMs });
  }
  return ranges;
}

interface StoredList extends IdList {
  readonly version: string;
}

/** Calls back with the lists of these series that have ids of these times, in the order in which they were written. */
async function eachList(
  { sql }: Tx,
  { teamId, userId, provider }: PhoneOwner,
  items: readonly FrequentItem[],
  onList: (list: StoredList) => void,
): Promise<void> {
  const ranges = rangesOf(items);
  const froms = plainArray(ranges.map(({ fromMs }) => fromMs));
  const tos = plainArray(ranges.map(({ toMs }) => toMs));
  // The outer bounds use the index; in between, only lists of one of the ranges are read.
  const pages = sql<StoredList[]>`
    SELECT resource AS series, source_type AS "sourceType", has_parents AS "hasParents", ids, version::text FROM phone_sample_ids b
    WHERE user_id = ${userId} AND team_id = ${teamId} AND provider = ${provider}
      AND to_at >= to_timestamp(${ranges[0]?.fromMs ?? 0}::float8 / 1000) AND from_at <= to_timestamp(${ranges.at(-1)?.toMs ?? 0}::float8 / 1000)
      AND resource = ANY(${textArray([...new Set(items.map(seriesOf))])}::text[])
      AND EXISTS (SELECT 1 FROM unnest(${froms}::float8[], ${tos}::float8[]) AS r(from_ms, to_ms)
        WHERE b.to_at >= to_timestamp(r.from_ms / 1000) AND b.from_at <= to_timestamp(r.to_ms / 1000))
    ORDER BY version, block`.cursor(pageLists);
  for await (const page of pages) for (const list of page) onList(list);
}

const placeOf = (series: string, sourceType: string, atMs: number) => JSON.stringify([series, sourceType, atMs]);

interface FormerSample extends FormerItem {
  readonly series: string;
  readonly sourceType: string;
}

export interface MovedSamples {
  readonly removals: readonly PartRemoval[];
  /** The items that are not in the lists as they are. */
  readonly unlisted: readonly FrequentItem[];
}

/**
 * Finds the samples that frequent items were before, where they have come again with another time, and those of records that have come again
 * without them. A sample that another item has replaced since stays. Noticed are moves by up to three days. The caller holds the user's lock
 * and lists the items afterwards.
 */
export async function findMovedSamples(tx: Tx, owner: VersionedOwner, items: readonly FrequentItem[]): Promise<MovedSamples> {
  if (items.length === 0) return { removals: [], unlisted: [] };
  const sent = items.map((item) => ({
    itemId: hashOf(item.itemId),
    parentId: item.parentId === null ? '' : hashOf(item.parentId),
    place: placeOf(seriesOf(item), item.sourceType, item.atMs),
    startMs: item.atMs,
  }));
  const [ids, parents] = [new Set(sent.map(({ itemId }) => itemId)), new Set(sent.map(({ parentId }) => parentId))];
  const sentTimes = new Set(items.map(({ atMs }) => atMs));
  const filter = { times: sentTimes, prefixes: prefixesOf(new Set([...ids, ...parents])) };
  // Of each item, all entries of the last list that has it.
  const formerOf = new Map<string, FormerSample[]>();
  const lastAt = new Map<string, string>();
  await eachList(tx, owner, items, (list) => {
    const { series, sourceType, version } = list;
    eachId(list, filter, ({ id, parent, atMs }) => {
      if (sentTimes.has(atMs)) lastAt.set(placeOf(series, sourceType, atMs), id);
      if (!ids.has(id) && (parent === '' || !parents.has(parent))) return;
      const one = { itemId: id, parentId: parent, place: placeOf(series, sourceType, atMs), startMs: atMs, version, series, sourceType };
      const known = formerOf.get(`${series} ${id}`);
      if (known?.[0]?.version === version) known.push(one);
      else formerOf.set(`${series} ${id}`, [one]);
    });
  });
  const present = new Set(sent.map(({ place }) => place));
  const stale = findStale([...formerOf.values()].flat(), sent, owner).filter(({ place }) => !present.has(place));
  const isUnlisted = sent.map(({ itemId, place }) => lastAt.get(place) !== itemId);
  // The parts of a record are listed together, so that a later list shows which of them came last.
  const incomplete = new Set(sent.flatMap(({ parentId }, index) => (isUnlisted[index] && parentId !== '' ? [parentId] : [])));
  return {
    removals: stale.length === 0 ? [] : await removalsOf(tx, owner, items, stale),
    unlisted: items.filter((_item, index) => isUnlisted[index] || incomplete.has(sent[index]?.parentId ?? '')),
  };
}

/** Removals of those of these samples that are still of the same item. Reads the lists once more: items rarely move. */
async function removalsOf(
  tx: Tx,
  owner: PhoneOwner,
  items: readonly FrequentItem[],
  stale: readonly FormerSample[],
): Promise<PartRemoval[]> {
  const times = new Set(stale.map(({ startMs }) => startMs));
  const lastAt = new Map<string, string>();
  await eachList(tx, owner, items, (list) =>
    eachId(list, { times, prefixes: new Set() }, ({ id, atMs }) => void lastAt.set(placeOf(list.series, list.sourceType, atMs), id)),
  );
  const gone = stale.filter(({ place, itemId }) => lastAt.get(place) === itemId);
  const bySeries = Map.groupBy(gone, ({ series, sourceType }) => JSON.stringify([series, sourceType]));
  return [...bySeries].map(([key, own]) => {
    const [series, sourceType] = JSON.parse(key) as [string, string];
    return toPartRemoval(owner.provider, series, sourceType, new Set(own.map(({ startMs }) => startMs)));
  });
}
