import { and, asc, eq, gte, lte } from 'drizzle-orm';
import { plainArray, run, textArray, type Tx } from '@pulsewire/database';
import type { SleepSegment } from '@pulsewire/providers';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { phoneSleepSegments } from '../model/tables.ts';

/** A segment without its id. */
export type StoredSpan = Pick<SleepSegment, 'sourceType' | 'appId' | 'startMs' | 'endMs' | 'stage'>;

const isoOf = (ms: number) => new Date(ms).toISOString();

/** The segments of one source that begin in a range, in order. */
export async function readSegments(
  { orm }: Tx,
  { teamId, userId, provider }: PhoneOwner,
  place: { readonly sourceType: string; readonly appId: string; readonly fromMs: number; readonly toMs: number },
): Promise<SleepSegment[]> {
  const of = phoneSleepSegments;
  const rows = await run(
    orm
      .select()
      .from(of)
      .where(
        and(
          eq(of.teamId, teamId),
          eq(of.userId, userId),
          eq(of.provider, provider),
          eq(of.sourceType, place.sourceType),
          eq(of.appId, place.appId),
          gte(of.startAt, isoOf(place.fromMs)),
          lte(of.startAt, isoOf(place.toMs)),
        ),
      )
      .orderBy(asc(of.startAt), asc(of.stage)),
  );
  return rows.map(({ itemId, sourceType, appId, stage, startAt, endAt, tzOffset, score }) => ({
    itemId,
    sourceType,
    appId,
    stage,
    startMs: Date.parse(startAt),
    endMs: Date.parse(endAt),
    offset: tzOffset,
    score,
  }));
}

/** Stores segments; one that is sent again, longer or under another id, replaces the stored one. One statement. */
export async function saveSegments(
  { sql }: Tx,
  { teamId, userId, provider }: PhoneOwner,
  segments: readonly SleepSegment[],
): Promise<void> {
  const own = [...new Map(segments.map((segment) => [`${segment.startMs} ${segment.stage}`, segment])).values()];
  if (own.length === 0) return;
  const texts = (pick: (segment: SleepSegment) => string) =>
    textArray(own.map((segment) => pick(segment).toWellFormed().replaceAll('\0', '')));
  const numbers = (pick: (segment: SleepSegment) => number | null) => plainArray(own.map(pick));
  await sql`
    INSERT INTO phone_sleep_segments AS p (user_id, provider, source_type, app_id, start_at, stage, team_id, end_at, tz_offset, score, item_id)
    SELECT ${userId}::uuid, ${provider}, i.source_type, i.app_id, to_timestamp(i.start_ms / 1000), i.stage, ${teamId}::uuid, to_timestamp(i.end_ms / 1000), i.tz_offset, i.score, i.item_id
    FROM unnest(${texts((segment) => segment.sourceType)}::text[], ${texts((segment) => segment.appId)}::text[], ${numbers((segment) => segment.startMs)}::float8[],
      ${texts((segment) => segment.stage)}::text[], ${numbers((segment) => segment.endMs)}::float8[], ${numbers((segment) => segment.offset)}::integer[],
      ${numbers((segment) => segment.score)}::smallint[], ${texts((segment) => segment.itemId)}::text[])
      AS i(source_type, app_id, start_ms, stage, end_ms, tz_offset, score, item_id)
    ON CONFLICT (user_id, provider, source_type, app_id, start_at, stage) DO UPDATE SET end_at = excluded.end_at, tz_offset = excluded.tz_offset,
      score = excluded.score, item_id = excluded.item_id`;
}

/** Removes segments that were deleted on the phone. One statement. */
export async function deleteSegments(
  { sql }: Tx,
  { teamId, userId, provider }: PhoneOwner,
  segments: readonly StoredSpan[],
): Promise<void> {
  if (segments.length === 0) return;
  const texts = (pick: (span: StoredSpan) => string) => textArray(segments.map(pick));
  await sql`
    DELETE FROM phone_sleep_segments p
    USING unnest(${texts((span) => span.sourceType)}::text[], ${texts((span) => span.appId)}::text[],
      ${plainArray(segments.map(({ startMs }) => startMs))}::float8[], ${texts((span) => span.stage)}::text[]) AS g(source_type, app_id, start_ms, stage)
    WHERE p.team_id = ${teamId} AND p.user_id = ${userId} AND p.provider = ${provider} AND p.source_type = g.source_type AND p.app_id = g.app_id
      AND p.start_at = to_timestamp(g.start_ms / 1000) AND p.stage = g.stage`;
}
