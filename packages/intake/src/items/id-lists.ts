import { hash } from 'node:crypto';
import type { FrequentItem } from '@pulsewire/providers';

// A watch has thousands of heart rates a day. A row for each id would take more room than the samples, so the ids of a batch are kept as
// one list for each series: of every item 8 bytes of the hash of its id, its time in 6, and where items have parents 8 of the parent's.
const [hashBytes, timeBytes] = [8, 6];
const itemBytes = hashBytes + timeBytes;

const digestOf = (id: string): Buffer => hash('sha256', id, 'buffer').subarray(0, hashBytes);
/** The part of an id's hash that lists keep, as a text to compare. */
export const hashOf = (id: string): string => digestOf(id).toString('latin1');

/** A list of ids of one series. */
export interface IdList {
  /** The resource, and after a slash the kind of amount that it is made of. */
  readonly series: string;
  readonly sourceType: string;
  readonly hasParents: boolean;
  readonly ids: Buffer;
}

/** An entry of a list; ids as `hashOf` returns them. */
export interface ListedId {
  readonly id: string;
  /** Empty when the item is part of no record. */
  readonly parent: string;
  readonly atMs: number;
}

export const seriesOf = ({ resource, part }: Pick<FrequentItem, 'resource' | 'part'>): string =>
  part === '' ? resource : `${resource}/${part}`;

function pack(items: readonly FrequentItem[], hasParents: boolean): Buffer {
  const width = itemBytes + (hasParents ? hashBytes : 0);
  const ids = Buffer.alloc(items.length * width);
  for (const [index, { itemId, parentId, atMs }] of items.entries()) {
    const at = index * width;
    digestOf(itemId).copy(ids, at);
    ids.writeIntBE(atMs, at + hashBytes, timeBytes);
    if (hasParents) digestOf(parentId ?? itemId).copy(ids, at + itemBytes);
  }
  return ids;
}

export interface TimedList extends IdList {
  readonly fromMs: number;
  readonly toMs: number;
}

export function toLists(items: readonly FrequentItem[]): TimedList[] {
  const groups = Map.groupBy(items, (item) => JSON.stringify([seriesOf(item), item.sourceType, item.parentId !== null]));
  return [...groups].map(([key, own]) => {
    const [series, sourceType, hasParents] = JSON.parse(key) as [string, string, boolean];
    const fromMs = own.reduce((first, { atMs }) => Math.min(first, atMs), Number.POSITIVE_INFINITY);
    const toMs = own.reduce((last, { atMs }) => Math.max(last, atMs), Number.NEGATIVE_INFINITY);
    return { series, sourceType, hasParents, ids: pack(own, hasParents), fromMs, toMs };
  });
}

/** Which entries are of interest: those of some times, and those whose id or parent's id begins like one of some. */
export interface EntryFilter {
  readonly times: ReadonlySet<number>;
  readonly prefixes: ReadonlySet<number>;
}

/** The first four bytes of ids, as `hashOf` returns them. */
export const prefixesOf = (ids: Iterable<string>): ReadonlySet<number> =>
  new Set([...ids].filter((id) => id !== '').map((id) => Buffer.from(id, 'latin1').readUInt32BE()));

/**
 * Calls back with the entries of a list that the filter lets through, in the order in which the samples were written. Most entries are of no
 * interest, and reading their ids would take most of the time.
 */
export function eachId({ hasParents, ids }: IdList, filter: EntryFilter | null, onEntry: (entry: ListedId) => void): void {
  const width = itemBytes + (hasParents ? hashBytes : 0);
  for (let at = 0; at + width <= ids.length; at += width) {
    const atMs = ids.readIntBE(at + hashBytes, timeBytes);
    const isWanted =
      filter === null ||
      filter.times.has(atMs) ||
      filter.prefixes.has(ids.readUInt32BE(at)) ||
      (hasParents && filter.prefixes.has(ids.readUInt32BE(at + itemBytes)));
    if (!isWanted) continue;
    const parent = hasParents ? ids.toString('latin1', at + itemBytes, at + width) : '';
    onEntry({ id: ids.toString('latin1', at, at + hashBytes), parent, atMs });
  }
}
