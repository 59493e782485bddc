import { hash } from 'node:crypto';
import type { CanonicalRecord } from '@pulsewire/contract';
import { byteaArray, plainArray, textArray, type Tx } from '@pulsewire/database';
import type { DeletedSample, FrequentItem } from '@pulsewire/providers';
import type { PhoneOwner } from '../model/phone-owner.ts';

// A watch has thousands of heart rates a day. A row for each id would take more room than the samples, so the ids of a batch are kept as
// one list for each series: of every item 8 bytes of the hash of its id, its time in 6, and where items have parents 8 of the parent's.
const [hashBytes, timeBytes] = [8, 6];
const itemBytes = hashBytes + timeBytes;

const hashOf = (id: string): Buffer => hash('sha256', id, 'buffer').subarray(0, hashBytes);

interface Block {
  readonly resource: string;
  readonly sourceType: string;
  readonly hasParents: boolean;
  readonly ids: Buffer;
}

function pack(items: readonly FrequentItem[], hasParents: boolean): Buffer {
  const width = itemBytes + (hasParents ? hashBytes : 0);
  const ids = Buffer.alloc(items.length * width);
  for (const [index, { itemId, parentId, atMs }] of items.entries()) {
    const at = index * width;
    hashOf(itemId).copy(ids, at);
    ids.writeIntBE(atMs, at + hashBytes, timeBytes);
    if (hasParents) hashOf(parentId ?? itemId).copy(ids, at + itemBytes);
  }
  return ids;
}

function toBlocks(items: readonly FrequentItem[]): Block[] {
  const groups = Map.groupBy(items, ({ resource, sourceType, parentId }) => JSON.stringify([resource, sourceType, parentId !== null]));
  return [...groups].map(([key, own]) => {
    const [resource, sourceType, hasParents] = JSON.parse(key) as [string, string, boolean];
    return { resource, sourceType, hasParents, ids: pack(own, hasParents) };
  });
}

/** Remembers which samples the items of a batch became, in the order in which they were written. One statement. */
export async function saveSampleIds(
  { sql }: Tx,
  { teamId, userId, provider }: PhoneOwner,
  version: bigint,
  items: readonly FrequentItem[],
): Promise<void> {
  if (items.length === 0) return;
  const blocks = toBlocks(items);
  await sql`
    INSERT INTO phone_sample_ids (user_id, provider, team_id, version, resource, source_type, has_parents, ids)
    SELECT ${userId}::uuid, ${provider}, ${teamId}::uuid, ${version.toString()}::bigint, b.resource, b.source_type, b.has_parents, b.ids
    FROM unnest(${textArray(blocks.map(({ resource }) => resource))}::text[], ${textArray(blocks.map(({ sourceType }) => sourceType))}::text[],
      ${plainArray(blocks.map(({ hasParents }) => hasParents))}::boolean[], ${byteaArray(blocks.map(({ ids }) => ids))}::bytea[])
      AS b(resource, source_type, has_parents, ids)`;
}

/** Calls back with every item of a block: the time of its sample, and whether its id, or its parent's, is one of these. */
function scan({ hasParents, ids }: Block, wanted: ReadonlySet<string>, onItem: (atMs: number, isWanted: boolean) => void): void {
  const width = itemBytes + (hasParents ? hashBytes : 0);
  const hasHashAt = (at: number) => wanted.has(ids.toString('latin1', at, at + hashBytes));
  for (let at = 0; at + width <= ids.length; at += width)
    onItem(ids.readIntBE(at + hashBytes, timeBytes), hasHashAt(at) || (hasParents && hasHashAt(at + itemBytes)));
}

/** Blocks of one page, at most 2,000 items each. */
const pageBlocks = 50;

/**
 * The removals of frequent samples by the ids of their items, or of the records that contain them. A sample that another item has replaced
 * stays. Reads all ids of the user's series, a page at a time: deletions are rare.
 */
export async function findDeletedSamples(
  { sql }: Tx,
  { teamId, userId, provider }: PhoneOwner,
  deleted: readonly DeletedSample[],
): Promise<CanonicalRecord[]> {
  if (deleted.length === 0) return [];
  const wanted = new Set(deleted.map(({ itemId }) => hashOf(itemId).toString('latin1')));
  const isAny = deleted.some(({ resource }) => resource === null);
  const resources = textArray([...new Set(deleted.map(({ resource }) => resource ?? ''))]);
  const timesOf = new Map<string, Set<number>>();
  const pages = sql<Block[]>`
    SELECT resource, source_type AS "sourceType", has_parents AS "hasParents", ids FROM phone_sample_ids
    WHERE user_id = ${userId} AND team_id = ${teamId} AND provider = ${provider} AND (${isAny} OR resource = ANY(${resources}::text[]))
    ORDER BY version, block`.cursor(pageBlocks);
  for await (const page of pages)
    for (const block of page) {
      const key = JSON.stringify([block.resource, block.sourceType]);
      const times = timesOf.get(key) ?? new Set<number>();
      timesOf.set(key, times);
      scan(block, wanted, (atMs, isWanted) => (isWanted ? times.add(atMs) : times.delete(atMs)));
    }
  return [...timesOf].flatMap(([key, times]): CanonicalRecord[] => {
    const [resource, sourceType] = JSON.parse(key) as [string, string];
    const ts = [...times].sort((a, b) => a - b);
    return ts.length === 0 ? [] : [{ kind: 'sample_removal', resource, source: { provider, type: sourceType }, ts }];
  });
}
