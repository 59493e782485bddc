import { and, eq, isNotNull } from 'drizzle-orm';
import type { CanonicalRecord } from '@pulsewire/contract';
import { plainArray, run, textArray, type Tx } from '@pulsewire/database';
import type { PressureHalf } from '@pulsewire/providers';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { phonePressures } from '../model/tables.ts';

interface PairedRow {
  readonly sourceType: string;
  readonly appId: string;
  readonly atMs: number;
  readonly systolic: number | null;
  readonly diastolic: number | null;
}

const keyOf = (sourceType: string, appId: string, atMs: number) => JSON.stringify([sourceType, appId, atMs]);
const keyOfHalf = ({ source, atMs }: PressureHalf) => keyOf(source.type, source.appId ?? '', atMs);

/** A statement may write each row only once. */
function merged(halves: readonly PressureHalf[]): PressureHalf[] {
  const byKey = new Map<string, PressureHalf>();
  for (const half of halves) {
    const known = byKey.get(keyOfHalf(half));
    byKey.set(keyOfHalf(half), {
      ...half,
      systolic: half.systolic ?? known?.systolic ?? null,
      diastolic: half.diastolic ?? known?.diastolic ?? null,
    });
  }
  return [...byKey.values()];
}

/** Samples are grouped by source, so that each series is written at once. */
function groupsOf(halves: readonly PressureHalf[], complete: readonly PairedRow[]): CanonicalRecord[] {
  const byKey = new Map(halves.map((half) => [keyOfHalf(half), half]));
  const paired = complete.flatMap(({ sourceType, appId, atMs, systolic, diastolic }) => {
    const half = byKey.get(keyOf(sourceType, appId, Math.round(atMs)));
    return half ? [{ source: half.source, sample: { ts: half.atMs, value: systolic, value2: diastolic as number, ...half.offsets } }] : [];
  });
  const bySource = Map.groupBy(paired, ({ source }) => JSON.stringify([source.type, source.appId]));
  return [...bySource.values()].flatMap((own): CanonicalRecord[] => {
    const [first] = own;
    return first ? [{ kind: 'samples', resource: 'blood_pressure', source: first.source, samples: own.map(({ sample }) => sample) }] : [];
  });
}

/**
 * Stores the halves of blood pressures whose other half has not arrived, and returns the samples of those that are complete now. The caller
 * holds the user's lock.
 */
export async function pairPressures(
  { sql, orm }: Tx,
  { teamId, userId, provider }: PhoneOwner,
  given: readonly PressureHalf[],
  receivedAt: Date,
): Promise<CanonicalRecord[]> {
  const halves = merged(given);
  if (halves.length === 0) return [];
  const texts = (pick: (half: PressureHalf) => string) => textArray(halves.map((half) => pick(half).toWellFormed().replaceAll('\0', '')));
  const numbers = (pick: (half: PressureHalf) => number | null) => plainArray(halves.map(pick));
  const rows = await sql<PairedRow[]>`
    INSERT INTO phone_pressures AS p (user_id, provider, source_type, app_id, at, team_id, systolic, diastolic, received_at)
    SELECT ${userId}::uuid, ${provider}, i.source_type, i.app_id, to_timestamp(i.at / 1000), ${teamId}::uuid, i.systolic, i.diastolic, ${receivedAt.toISOString()}::timestamptz
    FROM unnest(${texts(({ source }) => source.type)}::text[], ${texts(({ source }) => source.appId ?? '')}::text[], ${numbers(({ atMs }) => atMs)}::float8[],
      ${numbers(({ systolic }) => systolic)}::float8[], ${numbers(({ diastolic }) => diastolic)}::float8[]) AS i(source_type, app_id, at, systolic, diastolic)
    ON CONFLICT (user_id, provider, source_type, app_id, at) DO UPDATE SET
      systolic = coalesce(excluded.systolic, p.systolic), diastolic = coalesce(excluded.diastolic, p.diastolic), received_at = excluded.received_at
    RETURNING source_type AS "sourceType", app_id AS "appId", date_part('epoch', at) * 1000 AS "atMs", systolic, diastolic`;
  const complete = rows.filter(({ systolic, diastolic }) => systolic !== null && diastolic !== null);
  if (complete.length === 0) return [];
  const isComplete = and(
    eq(phonePressures.teamId, teamId),
    eq(phonePressures.userId, userId),
    eq(phonePressures.provider, provider),
    isNotNull(phonePressures.systolic),
    isNotNull(phonePressures.diastolic),
  );
  await run(orm.delete(phonePressures).where(isComplete));
  return groupsOf(halves, complete);
}

/** Deletes waiting halves that were deleted on the phone or moved to another time, by source and time. */
export async function forgetPressures(
  { sql }: Tx,
  { teamId, userId, provider }: PhoneOwner,
  removed: readonly { readonly sourceType: string; readonly atMs: number }[],
): Promise<void> {
  if (removed.length === 0) return;
  await sql`
    DELETE FROM phone_pressures p
    USING unnest(${textArray(removed.map(({ sourceType }) => sourceType))}::text[], ${plainArray(removed.map(({ atMs }) => atMs))}::float8[]) AS g(source_type, at)
    WHERE p.team_id = ${teamId} AND p.user_id = ${userId} AND p.provider = ${provider} AND p.source_type = g.source_type AND p.at = to_timestamp(g.at / 1000)`;
}
