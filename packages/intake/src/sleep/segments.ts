import { and, asc, eq, gte, lte, sql } from 'drizzle-orm';
import { plainArray, run, textArray, type Tx } from '@pulsewire/database';
import type { SleepSegment } from '@pulsewire/providers';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { phoneNightSegments } from '../model/tables.ts';

/** A stored segment with the version at which it was last received. */
export interface StoredSegment extends SleepSegment {
  readonly version: string;
}

/** Longer than any night, so that no night is cut where reading begins. */
export const nightMarginMs = 36 * 3_600_000;

const of = phoneNightSegments;
const isoOf = (ms: number) => new Date(ms).toISOString();
const ownedBy = ({ teamId, userId, provider }: PhoneOwner) => and(eq(of.teamId, teamId), eq(of.userId, userId), eq(of.provider, provider));

const toSegment = ({
  itemId,
  parentId,
  sourceType,
  appId,
  stage,
  startAt,
  endAt,
  tzOffset,
  score,
}: typeof of.$inferSelect): SleepSegment => ({
  itemId,
  parentId,
  sourceType,
  appId,
  stage,
  startMs: Date.parse(startAt),
  endMs: Date.parse(endAt),
  offset: tzOffset,
  score,
});

/** The segments of one source that begin in a range, in order. */
export async function readSegments(
  { orm }: Tx,
  owner: PhoneOwner,
  place: { readonly sourceType: string; readonly appId: string; readonly fromMs: number; readonly toMs: number },
): Promise<SleepSegment[]> {
  const isHere = and(
    eq(of.sourceType, place.sourceType),
    eq(of.appId, place.appId),
    gte(of.startAt, isoOf(place.fromMs)),
    lte(of.startAt, isoOf(place.toMs)),
  );
  const rows = await run(
    orm
      .select()
      .from(of)
      .where(and(ownedBy(owner), isHere))
      .orderBy(asc(of.startAt), asc(of.stage), asc(of.endAt), asc(of.itemId)),
  );
  return rows.map(toSegment);
}

/** The segments of these items, and those that are part of these records of the phone. */
export async function findSegments(
  { orm }: Tx,
  owner: PhoneOwner,
  itemIds: readonly string[],
  parentIds: readonly string[],
): Promise<StoredSegment[]> {
  const [items, parents] = [itemIds, parentIds].map((ids) => textArray(ids.flatMap((id) => id.toWellFormed().replaceAll('\0', '') || [])));
  const isNamed = sql`(${of.itemId} = ANY(${items}::text[]) OR (${of.parentId} <> '' AND ${of.parentId} = ANY(${parents}::text[])))`;
  const rows = await run(
    orm
      .select()
      .from(of)
      .where(and(ownedBy(owner), isNamed)),
  );
  return rows.map((row) => ({ ...toSegment(row), version: row.version.toString() }));
}

const textsOf = (segments: readonly SleepSegment[], pick: (segment: SleepSegment) => string) =>
  textArray(segments.map((segment) => pick(segment).toWellFormed().replaceAll('\0', '')));
const numbersOf = (segments: readonly SleepSegment[], pick: (segment: SleepSegment) => number | null) => plainArray(segments.map(pick));

/** Segments as a FROM item `i(source_type, app_id, start_at, stage, end_at, tz_offset, score, item_id, parent_id)`. */
const asTable = ({ sql: query }: Tx, segments: readonly SleepSegment[]) => query`(
  SELECT u.source_type, u.app_id, to_timestamp(u.start_ms / 1000) AS start_at, u.stage, to_timestamp(u.end_ms / 1000) AS end_at, u.tz_offset, u.score,
    u.item_id, u.parent_id
  FROM unnest(${textsOf(segments, (one) => one.sourceType)}::text[], ${textsOf(segments, (one) => one.appId)}::text[],
    ${numbersOf(segments, (one) => one.startMs)}::float8[], ${textsOf(segments, (one) => one.stage)}::text[],
    ${numbersOf(segments, (one) => one.endMs)}::float8[], ${numbersOf(segments, (one) => one.offset)}::integer[],
    ${numbersOf(segments, (one) => one.score)}::smallint[], ${textsOf(segments, (one) => one.itemId)}::text[],
    ${textsOf(segments, (one) => one.parentId)}::text[])
    AS u(source_type, app_id, start_ms, stage, end_ms, tz_offset, score, item_id, parent_id)) AS i`;

const isSameSpan = (tx: Tx, { teamId, userId, provider }: PhoneOwner) => tx.sql`
  p.team_id = ${teamId} AND p.user_id = ${userId} AND p.provider = ${provider} AND p.source_type = i.source_type AND p.app_id = i.app_id
  AND p.start_at = i.start_at AND p.stage = i.stage AND p.end_at = i.end_at`;

/**
 * Stores segments, each item's own: several items may state the same span. Exports name no items, so a span of an export is stored only until
 * a phone names it. Two statements.
 */
export async function saveSegments(tx: Tx, owner: PhoneOwner, version: bigint, segments: readonly SleepSegment[]): Promise<void> {
  const keyOf = ({ startMs, endMs, stage, itemId }: SleepSegment) => JSON.stringify([startMs, endMs, stage, itemId]);
  const own = [...new Map(segments.map((segment) => [keyOf(segment), segment])).values()];
  if (own.length === 0) return;
  const { teamId, userId, provider } = owner;
  const named = own.filter(({ itemId }) => itemId !== '');
  if (named.length > 0)
    await tx.sql`DELETE FROM phone_night_segments p USING ${asTable(tx, named)} WHERE ${isSameSpan(tx, owner)} AND p.item_id = ''`;
  await tx.sql`
    INSERT INTO phone_night_segments (user_id, provider, source_type, app_id, start_at, stage, team_id, end_at, tz_offset, score, item_id, parent_id, version)
    SELECT ${userId}::uuid, ${provider}, i.source_type, i.app_id, i.start_at, i.stage, ${teamId}::uuid, i.end_at, i.tz_offset, i.score, i.item_id, i.parent_id,
      ${version.toString()}::bigint
    FROM ${asTable(tx, own)}
    WHERE i.item_id <> '' OR NOT EXISTS (SELECT 1 FROM phone_night_segments p WHERE ${isSameSpan(tx, owner)} AND p.item_id <> '')
    ON CONFLICT (user_id, provider, source_type, app_id, start_at, stage, end_at, item_id) DO UPDATE SET tz_offset = excluded.tz_offset,
      score = excluded.score, parent_id = excluded.parent_id, version = excluded.version`;
}

/** Deletes segments. One statement. */
export async function deleteSegments(tx: Tx, owner: PhoneOwner, segments: readonly SleepSegment[]): Promise<void> {
  if (segments.length === 0) return;
  await tx.sql`
    DELETE FROM phone_night_segments p USING ${asTable(tx, segments)} WHERE ${isSameSpan(tx, owner)} AND p.item_id = i.item_id`;
}
