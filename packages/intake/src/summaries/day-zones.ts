import { plainArray, textArray, type Tx } from '@pulsewire/database';
import type { PhoneDayZone, SourceDay } from '@pulsewire/providers';
import type { PhoneOwner } from '../model/phone-owner.ts';

/** A local day of a source with its zone. */
export type ZonedDay = Omit<PhoneDayZone, 'atMs'>;

/** Of several zones of a day that of the last reading; a statement may write each row only once. */
function lastOfDays(zones: readonly PhoneDayZone[]): readonly PhoneDayZone[] {
  const byDay = new Map<string, PhoneDayZone>();
  for (const zone of zones) {
    const key = `${zone.day} ${zone.sourceType}`;
    if (zone.atMs >= (byDay.get(key)?.atMs ?? zone.atMs)) byDay.set(key, zone);
  }
  return [...byDay.values()];
}

/**
 * Stores the zones of days, each that of the day's last reading, whatever the order in which readings arrive. Returns the zones of all of
 * `days`. One statement.
 */
export async function mergeDayZones(
  { sql }: Tx,
  { teamId, userId, provider }: PhoneOwner,
  given: readonly PhoneDayZone[],
  days: readonly SourceDay[],
): Promise<readonly ZonedDay[]> {
  const zones = lastOfDays(given);
  const texts = (pick: (zone: PhoneDayZone) => string) => textArray(zones.map(pick));
  const numbers = (pick: (zone: PhoneDayZone) => number) => plainArray(zones.map(pick));
  // A statement does not see its own insertions, so changed rows are returned by it and the others are read.
  return sql<ZonedDay[]>`
    WITH changed AS (
      INSERT INTO phone_day_zones AS z (user_id, provider, source_type, day, team_id, zone, at)
      SELECT ${userId}::uuid, ${provider}, i.source_type, '1970-01-01'::date + i.day, ${teamId}::uuid, i.zone, to_timestamp(i.at / 1000)
      FROM unnest(${texts(({ sourceType }) => sourceType)}::text[], ${numbers(({ day }) => day)}::int[], ${texts(({ zone }) => zone)}::text[],
        ${numbers(({ atMs }) => atMs)}::float8[]) AS i(source_type, day, zone, at)
      ON CONFLICT (user_id, provider, source_type, day) DO UPDATE SET zone = excluded.zone, at = excluded.at
      WHERE excluded.at > z.at OR (excluded.at = z.at AND excluded.zone <> z.zone)
      RETURNING z.source_type, z.day, z.zone
    ), wanted AS (
      SELECT w.source_type, '1970-01-01'::date + w.day AS day
      FROM unnest(${textArray(days.map(({ sourceType }) => sourceType))}::text[], ${plainArray(days.map(({ day }) => day))}::int[]) AS w(source_type, day)
    )
    SELECT w.source_type AS "sourceType", w.day - '1970-01-01'::date AS day, coalesce(c.zone, z.zone) AS zone
    FROM wanted w
    LEFT JOIN changed c ON c.source_type = w.source_type AND c.day = w.day
    LEFT JOIN phone_day_zones z ON z.user_id = ${userId} AND z.team_id = ${teamId} AND z.provider = ${provider} AND z.source_type = w.source_type AND z.day = w.day
    WHERE coalesce(c.zone, z.zone) IS NOT NULL`;
}
