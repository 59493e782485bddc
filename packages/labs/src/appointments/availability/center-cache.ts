import { and, eq, inArray, sql as text } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import type { SchedulingPartner, Slot } from '../../partners/partner.ts';
import { labCenterSlots } from '../../model/appointment-tables.ts';
import type { StoredSlot } from '../../model/appointment.ts';

/** Days from today that are stored. */
export const cachedDays = 21;
/** Maximum ages: entries beyond the first are not used; entries beyond the second are used and refreshed. */
const usableMs = 15 * 60_000;
const freshMs = 5 * 60_000;

type Partner = Pick<SchedulingPartner, 'slug' | 'isSimulated'>;

export interface CachedSlots {
  readonly siteCode: string;
  readonly from: string;
  readonly to: string;
  readonly slots: readonly Slot[];
  readonly isFresh: boolean;
}

function readSlot({ startAt, endAt, expiresAt, ...rest }: StoredSlot): Slot {
  return { ...rest, startAt: new Date(startAt), endAt: new Date(endAt), expiresAt: expiresAt === null ? null : new Date(expiresAt) };
}

function toStored({ startAt, endAt, expiresAt, ...rest }: Slot): StoredSlot {
  return { ...rest, startAt: startAt.toISOString(), endAt: endAt.toISOString(), expiresAt: expiresAt && expiresAt.toISOString() };
}

/** Stored slots of these centers that are recent enough, by site code. */
export async function readCache(
  { orm }: Executor,
  { slug, isSimulated }: Partner,
  siteCodes: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, CachedSlots>> {
  const table = labCenterSlots;
  const ofPartner = and(eq(table.provider, slug), eq(table.isSimulated, isSimulated), inArray(table.siteCode, [...siteCodes]));
  const rows = await run(orm.select().from(table).where(ofPartner));
  const usable = rows.filter(({ fetchedAt }) => now.getTime() - fetchedAt.getTime() < usableMs);
  return new Map(
    usable.map(({ siteCode, firstDay, lastDay, slots, fetchedAt }) => [
      siteCode,
      { siteCode, from: firstDay, to: lastDay, slots: slots.map(readSlot), isFresh: now.getTime() - fetchedAt.getTime() < freshMs },
    ]),
  );
}

/** Stores a partner's response; the more recent of two wins. */
export async function writeCache(
  { orm }: Executor,
  { slug, isSimulated }: Partner,
  entry: Omit<CachedSlots, 'isFresh'>,
  fetchedAt: Date,
): Promise<void> {
  const table = labCenterSlots;
  const row = { firstDay: entry.from, lastDay: entry.to, slots: entry.slots.map(toStored), fetchedAt };
  await run(
    orm
      .insert(table)
      .values({ provider: slug, isSimulated, siteCode: entry.siteCode, ...row })
      .onConflictDoUpdate({
        target: [table.provider, table.isSimulated, table.siteCode],
        set: row,
        setWhere: text`${table.fetchedAt} < ${fetchedAt.toISOString()}`,
      }),
  );
}
