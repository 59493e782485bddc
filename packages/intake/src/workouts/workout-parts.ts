import { dayMs } from '@pulsewire/kernel';
import { and, eq, sql } from 'drizzle-orm';
import { plainArray, run, textArray, type Tx } from '@pulsewire/database';
import type { PhoneWorkoutPart } from '@pulsewire/providers';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { phoneWorkoutParts } from '../model/tables.ts';

/** A point as [ms since the start of its record, value]. */
type Point = readonly [number, number];

/** What a record of the phone holds: points, or the one amount of a span. */
export interface PartRecord {
  readonly kind: string;
  readonly appId: string;
  readonly recordId: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly points: readonly Point[];
}

type Row = typeof phoneWorkoutParts.$inferSelect;

const toRecord = ({ kind, appId, recordId, startAt, endAt, points }: Row): PartRecord => ({
  kind,
  appId,
  recordId,
  startMs: Date.parse(startAt),
  endMs: Date.parse(endAt),
  points: points as readonly Point[],
});
const keyOf = ({ kind, appId, recordId }: Pick<PartRecord, 'kind' | 'appId' | 'recordId'>) => JSON.stringify([kind, appId, recordId]);
const ownedBy = ({ teamId, userId, provider }: PhoneOwner) =>
  and(eq(phoneWorkoutParts.teamId, teamId), eq(phoneWorkoutParts.userId, userId), eq(phoneWorkoutParts.provider, provider));

/** The points of a record in order, or its one span. */
function recordOf(parts: readonly PhoneWorkoutPart[]): PartRecord {
  const [{ kind, appId, recordId, startMs: firstMs }] = parts as [PhoneWorkoutPart];
  const startMs = parts.reduce((first, part) => Math.min(first, part.startMs), firstMs);
  const endMs = parts.reduce((last, part) => Math.max(last, part.endMs), firstMs);
  const values = new Map(parts.map((part) => [part.startMs - startMs, part.value]));
  const points = [...values].toSorted(([a], [b]) => a - b);
  return { kind, appId, recordId: recordId === '' ? `at ${firstMs}` : recordId, startMs, endMs, points };
}

/**
 * A record as far as it is known. Its points may come in several batches, in the order of their time; what lies between the points of a batch
 * is replaced by them.
 */
function withKnown(sent: PartRecord, known: PartRecord | undefined): PartRecord {
  const isSpan = sent.points.length === 1 && sent.endMs > sent.startMs;
  if (!known || isSpan) return sent;
  const outside = known.points
    .map(([at, value]): Point => [known.startMs + at, value])
    .filter(([ms]) => ms < sent.startMs || ms > sent.endMs);
  const points = [...outside, ...sent.points.map(([at, value]): Point => [sent.startMs + at, value])].toSorted(([a], [b]) => a - b);
  const startMs = points[0]?.[0] ?? sent.startMs;
  const endMs = Math.max(sent.endMs, points.at(-1)?.[0] ?? sent.endMs);
  return { ...sent, startMs, endMs, points: points.map(([ms, value]): Point => [ms - startMs, value]) };
}

/** Stores parts of workouts by the record of the phone that holds them; a record that comes again with other values has those. Two statements. */
export async function saveParts(tx: Tx, owner: PhoneOwner, parts: readonly PhoneWorkoutPart[]): Promise<readonly PartRecord[]> {
  if (parts.length === 0) return [];
  const groups = Map.groupBy(parts, (part) => (part.recordId === '' ? `${keyOf(part)} ${part.startMs}` : keyOf(part)));
  const sent = [...groups.values()].map(recordOf);
  const ids = textArray(sent.map(({ recordId }) => recordId));
  const isNamed = sql`${phoneWorkoutParts.recordId} = ANY(${ids}::text[])`;
  const stored = await run(
    tx.orm
      .select()
      .from(phoneWorkoutParts)
      .where(and(ownedBy(owner), isNamed)),
  );
  const known = new Map(stored.map((row) => [keyOf(row), toRecord(row)]));
  const records = sent.map((record) => withKnown(record, known.get(keyOf(record))));
  const { teamId, userId, provider } = owner;
  const texts = (pick: (record: PartRecord) => string) => textArray(records.map(pick));
  const numbers = (pick: (record: PartRecord) => number) => plainArray(records.map(pick));
  await tx.sql`
    INSERT INTO phone_workout_parts (user_id, provider, kind, app_id, record_id, team_id, start_at, end_at, points)
    SELECT ${userId}::uuid, ${provider}, i.kind, i.app_id, i.record_id, ${teamId}::uuid, to_timestamp(i.start_ms / 1000), to_timestamp(i.end_ms / 1000), i.points::jsonb
    FROM unnest(${texts(({ kind }) => kind)}::text[], ${texts(({ appId }) => appId)}::text[], ${texts(({ recordId }) => recordId)}::text[],
      ${numbers(({ startMs }) => startMs)}::float8[], ${numbers(({ endMs }) => endMs)}::float8[], ${texts(({ points }) => JSON.stringify(points))}::text[])
      AS i(kind, app_id, record_id, start_ms, end_ms, points)
    ON CONFLICT (user_id, provider, kind, app_id, record_id) DO UPDATE SET start_at = excluded.start_at, end_at = excluded.end_at, points = excluded.points`;
  // Where they were before counts too: a workout may have lost them.
  return [...records, ...known.values()];
}

/** Deletes parts by the ids of the records that hold them, and returns them. */
export async function deleteParts({ orm }: Tx, owner: PhoneOwner, ids: readonly string[]): Promise<readonly PartRecord[]> {
  if (ids.length === 0 || owner.provider !== 'health_connect') return [];
  const named = textArray(ids.map((id) => id.toWellFormed().replaceAll('\0', '')));
  const isNamed = sql`${phoneWorkoutParts.recordId} = ANY(${named}::text[])`;
  return (
    await run(
      orm
        .delete(phoneWorkoutParts)
        .where(and(ownedBy(owner), isNamed))
        .returning(),
    )
  ).map(toRecord);
}

/** The parts that overlap a time; records last at most a day. */
export async function readParts({ orm }: Tx, owner: PhoneOwner, fromMs: number, toMs: number): Promise<readonly PartRecord[]> {
  const iso = (ms: number) => new Date(ms).toISOString();
  const { startAt, endAt } = phoneWorkoutParts;
  const isThere = sql`${startAt} >= ${iso(fromMs - dayMs)}::timestamptz AND ${startAt} <= ${iso(toMs)}::timestamptz AND ${endAt} >= ${iso(fromMs)}::timestamptz`;
  return (
    await run(
      orm
        .select()
        .from(phoneWorkoutParts)
        .where(and(ownedBy(owner), isThere)),
    )
  ).map(toRecord);
}
