import { plainArray, textArray, type Tx } from '@pulsewire/database';
import type { PhoneDayZone, SourceDay } from '@pulsewire/providers';
import type { PhoneOwner } from '../model/phone-owner.ts';

/** A local day of a source to be built. */
export interface SummaryDay extends SourceDay {
  readonly summaryId: string;
}

export interface DayState {
  readonly summaryId: string;
  /** IANA name of the zone of its last reading. */
  readonly zone: string | null;
  /** A team's own app has sent its summary. */
  readonly isSent: boolean;
}

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
 * Stores the zones of days, each that of the day's last reading, whatever the order in which readings arrive. Returns what is known of all of
 * `days`. One statement.
 */
export async function mergeDayZones(
  { sql }: Tx,
  { teamId, userId, provider }: PhoneOwner,
  given: readonly PhoneDayZone[],
  days: readonly SummaryDay[],
): Promise<readonly DayState[]> {
  const zones = lastOfDays(given);
  const texts = (pick: (zone: PhoneDayZone) => string) => textArray(zones.map(pick));
  const numbers = (pick: (zone: PhoneDayZone) => number) => plainArray(zones.map(pick));
  // A statement does not see its own insertions, so changed rows are returned by it and the others are read.
  return sql<DayState[]>`
    WITH changed AS (
      INSERT INTO phone_day_zones AS z (user_id, provider, source_type, day, team_id, zone, at)
      SELECT ${userId}::uuid, ${provider}, i.source_type, '1970-01-01'::date + i.day, ${teamId}::uuid, i.zone, to_timestamp(i.at / 1000)
      FROM unnest(${texts(({ sourceType }) => sourceType)}::text[], ${numbers(({ day }) => day)}::int[], ${texts(({ zone }) => zone)}::text[],
        ${numbers(({ atMs }) => atMs)}::float8[]) AS i(source_type, day, zone, at)
      ON CONFLICT (user_id, provider, source_type, day) DO UPDATE SET zone = excluded.zone, at = excluded.at
      WHERE excluded.at > z.at OR (excluded.at = z.at AND excluded.zone <> z.zone)
      RETURNING z.source_type, z.day, z.zone
    ), wanted AS (
      SELECT w.source_type, '1970-01-01'::date + w.day AS day, w.id
      FROM unnest(${textArray(days.map(({ sourceType }) => sourceType))}::text[], ${plainArray(days.map(({ day }) => day))}::int[],
        ${plainArray(days.map(({ summaryId }) => summaryId))}::uuid[]) AS w(source_type, day, id)
    )
    SELECT w.id AS "summaryId", coalesce(c.zone, z.zone) AS zone, s.summary_id IS NOT NULL AS "isSent"
    FROM wanted w
    LEFT JOIN changed c ON c.source_type = w.source_type AND c.day = w.day
    LEFT JOIN phone_day_zones z ON z.user_id = ${userId} AND z.team_id = ${teamId} AND z.provider = ${provider} AND z.source_type = w.source_type AND z.day = w.day
    LEFT JOIN sent_summaries s ON s.summary_id = w.id AND s.user_id = ${userId} AND s.team_id = ${teamId}`;
}
