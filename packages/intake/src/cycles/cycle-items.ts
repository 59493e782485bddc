import { and, asc, eq, gte, lte, sql } from 'drizzle-orm';
import { run, textArray, type Tx } from '@pulsewire/database';
import type { PhoneCycleItem, PhoneItemRef } from '@pulsewire/providers';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { phoneItems } from '../model/tables.ts';

/** Most entries of one read; two years have a few thousand. */
const itemsMax = 20_000;
const resource = 'menstrual_cycle';
/** A basal temperature is a sample as well, which has the item's own id. */
const prefix = 'cycle ';

const keyOf = (itemId: string) => `${prefix}${itemId}`.toWellFormed().replaceAll('\0', '');
const isoOf = (ms: number) => new Date(ms).toISOString();

/** An entry as it is kept among the items of the phone. */
export function toRef({ itemId, date, until, kind, value, atMs }: PhoneCycleItem): PhoneItemRef {
  return {
    itemId: keyOf(itemId),
    resource,
    subKind: [date, until, kind, value].join(' '),
    sourceType: 'app',
    atMs,
    summaryId: null,
    parentId: null,
  };
}

function toItem({ itemId, subKind, at }: Pick<typeof phoneItems.$inferSelect, 'itemId' | 'subKind' | 'at'>): PhoneCycleItem {
  const [date = '', until = '', kind = '', value = ''] = subKind.split(' ');
  return { itemId: itemId.slice(prefix.length), date, until, kind, value, atMs: Date.parse(at) };
}

const ownedBy = ({ teamId, userId, provider }: PhoneOwner) =>
  and(eq(phoneItems.teamId, teamId), eq(phoneItems.userId, userId), eq(phoneItems.provider, provider), eq(phoneItems.resource, resource));

/** One parameter, so that a batch may name any number of items. */
const namedBy = (itemIds: readonly string[]) => sql`${phoneItems.itemId} = ANY(${textArray(itemIds.map(keyOf))}::text[])`;

/** The stored entries of these ids. */
export async function findCycleItems({ orm }: Tx, owner: PhoneOwner, itemIds: readonly string[]): Promise<PhoneCycleItem[]> {
  const rows = await run(
    orm
      .select()
      .from(phoneItems)
      .where(and(ownedBy(owner), namedBy(itemIds))),
  );
  return rows.map(toItem);
}

/** The stored entries that begin in a range, in order. */
export async function readCycleItems(
  { orm }: Tx,
  owner: PhoneOwner,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<PhoneCycleItem[]> {
  const inRange = and(gte(phoneItems.at, isoOf(fromMs)), lte(phoneItems.at, isoOf(toMs)));
  const rows = await run(
    orm
      .select()
      .from(phoneItems)
      .where(and(ownedBy(owner), inRange))
      .orderBy(asc(phoneItems.at), asc(phoneItems.itemId))
      .limit(itemsMax),
  );
  return rows.map(toItem);
}

export async function deleteCycleItems({ orm }: Tx, owner: PhoneOwner, itemIds: readonly string[]): Promise<void> {
  if (itemIds.length > 0) await run(orm.delete(phoneItems).where(and(ownedBy(owner), namedBy(itemIds))));
}
