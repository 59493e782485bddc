import { plainArray, textArray, type Executor } from '@pulsewire/database';

/** A local day of a resource: the date of summaries, and the instants between which the day's samples lie (`toMs` exclusive). */
export interface ResourceDay {
  readonly resource: string;
  readonly day: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Those of the days on which anything is stored of a user from a provider. Each takes one index probe per source. */
export async function readStoredDays(
  { sql }: Executor,
  { teamId, userId, provider }: { readonly teamId: string; readonly userId: string; readonly provider: string },
  days: readonly ResourceDay[],
): Promise<readonly ResourceDay[]> {
  if (days.length === 0) return [];
  const at = (ms: number) => new Date(ms).toISOString();
  const rows = await sql<{ place: string }[]>`
    SELECT n.place
    FROM unnest(${textArray(days.map(({ resource }) => resource))}::text[], ${plainArray(days.map(({ day }) => day))}::date[],
      ${textArray(days.map(({ fromMs }) => at(fromMs)))}::timestamptz[], ${textArray(days.map(({ toMs }) => at(toMs)))}::timestamptz[])
      WITH ORDINALITY AS n(resource, day, starts, ends, place)
    WHERE EXISTS (
      SELECT 1 FROM summaries m WHERE m.user_id = ${userId} AND m.team_id = ${teamId} AND m.provider = ${provider}
        AND m.resource = n.resource AND m.calendar_date = n.day)
    OR EXISTS (
      SELECT 1 FROM sources o JOIN series k ON k.resource = n.resource
        CROSS JOIN LATERAL first_stored_samples(o.user_source_id, k.series, n.starts, n.ends - interval '1 microsecond', 1) s
      WHERE o.user_id = ${userId} AND o.team_id = ${teamId} AND o.provider = ${provider})`;
  const found = new Set(rows.map(({ place }) => Number(place)));
  return days.filter((_, index) => found.has(index + 1));
}
