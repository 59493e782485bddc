import { and, eq, sql } from 'drizzle-orm';
import { plainArray, run, textArray, type Tx } from '@pulsewire/database';
import { dayKinds, type PhoneReading } from '@pulsewire/providers';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { phoneReadings } from '../model/tables.ts';

/** A source and an instant, ms since the epoch. */
export type ReadingPlace = Pick<PhoneReading, 'sourceType' | 'atMs'>;

/** Neighbouring local days of a source, in days since 1 January 1970, both inclusive. */
export interface DayRange {
  readonly sourceType: string;
  readonly fromDay: number;
  readonly toDay: number;
}

const ownedBy = ({ teamId, userId, provider }: PhoneOwner) =>
  and(eq(phoneReadings.teamId, teamId), eq(phoneReadings.userId, userId), eq(phoneReadings.provider, provider));

const toReading = ({ tzOffset, at, sourceType, kind, slot, value, appId, itemId }: typeof phoneReadings.$inferSelect): PhoneReading => ({
  kind,
  sourceType,
  appId,
  atMs: Date.parse(at),
  slot,
  value,
  offset: tzOffset,
  itemId,
});

/** What became of readings that were stored. */
export interface SavedReadings {
  /** One that was stored before has another value or offset now. */
  readonly isReplaced: boolean;
  /** Those that an item of the batch had before it was changed to another time or amount. */
  readonly outdated: readonly PhoneReading[];
}

/** Readings by what identifies them, each once, and each item of a kind in its last form. */
function eachOnce(given: readonly PhoneReading[]): readonly PhoneReading[] {
  const isNamed = ({ itemId }: PhoneReading) => itemId !== '';
  const named = new Map(given.filter(isNamed).map((one) => [`${one.kind} ${one.itemId}`, one]));
  const forms = [...named.values(), ...given.filter((one) => !isNamed(one))];
  return [...new Map(forms.map((one) => [[one.sourceType, one.atMs, one.kind, one.slot].join(' '), one])).values()];
}

/** Deletes what the same items were before, and returns it: Health Connect keeps the id of a record that is changed. */
async function deleteOutdated({ orm }: Tx, owner: PhoneOwner, readings: readonly PhoneReading[]): Promise<PhoneReading[]> {
  const named = readings.filter(({ itemId }) => itemId !== '');
  if (named.length === 0) return [];
  const texts = (pick: (reading: PhoneReading) => string) => textArray(named.map(pick));
  const numbers = (pick: (reading: PhoneReading) => number) => plainArray(named.map(pick));
  const { itemId, kind, sourceType, at, slot } = phoneReadings;
  const isOutdated = sql`${itemId} <> '' AND ${itemId} = ANY(${texts((one) => one.itemId)}::text[]) AND EXISTS (
    SELECT 1 FROM unnest(${texts((one) => one.itemId)}::text[], ${texts((one) => one.kind)}::text[], ${texts((one) => one.sourceType)}::text[],
      ${numbers(({ atMs }) => atMs)}::float8[], ${numbers((one) => one.slot)}::float8[]) AS i(item_id, kind, source_type, at, slot)
    WHERE i.item_id = ${itemId} AND i.kind = ${kind} AND (i.source_type, to_timestamp(i.at / 1000), i.slot) <> (${sourceType}, ${at}, ${slot}))`;
  return (
    await run(
      orm
        .delete(phoneReadings)
        .where(and(ownedBy(owner), isOutdated))
        .returning(),
    )
  ).map(toReading);
}

/** Stores readings; one that is sent again replaces the stored one. Two statements. */
export async function saveReadings(tx: Tx, owner: PhoneOwner, given: readonly PhoneReading[]): Promise<SavedReadings> {
  const readings = eachOnce(given);
  if (readings.length === 0) return { isReplaced: false, outdated: [] };
  const { teamId, userId, provider } = owner;
  const outdated = await deleteOutdated(tx, owner, readings);
  const texts = (pick: (reading: PhoneReading) => string) => textArray(readings.map(pick));
  const numbers = (pick: (reading: PhoneReading) => number | null) => plainArray(readings.map(pick));
  // Exports name neither apps nor items, so what a phone told of them is kept.
  const changed = await tx.sql<{ is_replaced: boolean }[]>`
    INSERT INTO phone_readings AS p (user_id, provider, source_type, kind, at, slot, team_id, value, tz_offset, app_id, item_id)
    SELECT ${userId}::uuid, ${provider}, i.source_type, i.kind, to_timestamp(i.at / 1000), i.slot, ${teamId}::uuid, i.value, i.tz_offset, i.app_id, i.item_id
    FROM unnest(${texts(({ sourceType }) => sourceType)}::text[], ${texts(({ kind }) => kind)}::text[], ${numbers(({ atMs }) => atMs)}::float8[],
      ${numbers(({ slot }) => slot)}::float8[], ${numbers(({ value }) => value)}::float8[], ${numbers(({ offset }) => offset)}::integer[],
      ${texts(({ appId }) => appId)}::text[], ${texts(({ itemId }) => itemId)}::text[]) AS i(source_type, kind, at, slot, value, tz_offset, app_id, item_id)
    ON CONFLICT (user_id, provider, source_type, at, kind, slot) DO UPDATE SET value = excluded.value, tz_offset = excluded.tz_offset,
      app_id = coalesce(nullif(excluded.app_id, ''), p.app_id), item_id = coalesce(nullif(excluded.item_id, ''), p.item_id)
    WHERE (p.value, p.tz_offset, p.app_id, p.item_id) IS DISTINCT FROM (excluded.value, excluded.tz_offset,
      coalesce(nullif(excluded.app_id, ''), p.app_id), coalesce(nullif(excluded.item_id, ''), p.item_id))
    RETURNING xmax <> 0 AS is_replaced`;
  return { isReplaced: changed.some(({ is_replaced: isReplaced }) => isReplaced), outdated };
}

/** Deletes readings by the ids of their items, and returns them. */
export async function deleteReadings({ orm }: Tx, owner: PhoneOwner, itemIds: readonly string[]): Promise<PhoneReading[]> {
  if (itemIds.length === 0) return [];
  // One parameter, so that a batch may delete any number of items. An empty id is none.
  const ids = textArray(itemIds.flatMap((id) => id.toWellFormed().replaceAll('\0', '') || []));
  const isNamed = sql`${phoneReadings.itemId} = ANY(${ids}::text[]) AND ${phoneReadings.itemId} <> ''`;
  return (
    await run(
      orm
        .delete(phoneReadings)
        .where(and(ownedBy(owner), isNamed))
        .returning(),
    )
  ).map(toReading);
}

/** The heart rates of these local days of sources. */
export async function readDayReadings(tx: Tx, owner: PhoneOwner, spans: readonly DayRange[]): Promise<PhoneReading[]> {
  const { teamId, userId, provider } = owner;
  // Offsets reach from -18 to +18 hours. OFFSET 0 keeps one index range for each span: a join would read all readings of the user.
  return tx.sql<PhoneReading[]>`
    SELECT r.kind, r.source_type AS "sourceType", r.app_id AS "appId", date_part('epoch', r.at) * 1000 AS "atMs", r.slot, r.value,
      r.tz_offset AS "offset", r.item_id AS "itemId"
    FROM unnest(${textArray(spans.map(({ sourceType }) => sourceType))}::text[], ${plainArray(spans.map(({ fromDay }) => fromDay))}::int[],
      ${plainArray(spans.map(({ toDay }) => toDay))}::int[]) AS w(source_type, from_day, to_day)
    CROSS JOIN LATERAL (
      SELECT p.* FROM phone_readings p
      WHERE p.user_id = ${userId} AND p.team_id = ${teamId} AND p.provider = ${provider} AND p.source_type = w.source_type
        AND p.at >= to_timestamp(w.from_day::float8 * 86400 - 64800) AND p.at < to_timestamp((w.to_day + 1)::float8 * 86400 + 64800)
        AND p.kind = ANY(${textArray(dayKinds)}::text[]) OFFSET 0) r
    WHERE floor((date_part('epoch', r.at) + coalesce(r.tz_offset, 0)) / 86400) BETWEEN w.from_day AND w.to_day`;
}

/** The nutrients that were logged at these instants. */
export async function readMealReadings({ orm }: Tx, owner: PhoneOwner, places: readonly ReadingPlace[]): Promise<PhoneReading[]> {
  const types = textArray(places.map(({ sourceType }) => sourceType));
  const times = plainArray(places.map(({ atMs }) => atMs));
  const { sourceType, at, kind } = phoneReadings;
  const isThere = sql`(${sourceType}, ${at}) IN (
    SELECT w.source_type, to_timestamp(w.at_ms / 1000) FROM unnest(${types}::text[], ${times}::float8[]) AS w(source_type, at_ms))`;
  const isNutrient = sql`${kind} <> ALL(${textArray(dayKinds)}::text[])`;
  return (
    await run(
      orm
        .select()
        .from(phoneReadings)
        .where(and(ownedBy(owner), isThere, isNutrient)),
    )
  ).map(toReading);
}
