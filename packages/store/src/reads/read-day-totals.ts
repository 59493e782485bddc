import type { OffsetOrigin } from '@pulsewire/contract';
import { plainArray, textArray, type Executor } from '@pulsewire/database';
import { originName } from '../model/offset-origin.ts';

/** Consecutive local days of a series of a source, as days since 1 January 1970, both inclusive. */
export interface DaySpan {
  readonly sourceType: string;
  /** Without sub-kinds. */
  readonly resource: string;
  readonly fromDay: number;
  readonly toDay: number;
}

/** The samples of a series of a source that begin on a local day. */
export interface DayTotal {
  readonly sourceType: string;
  readonly resource: string;
  readonly day: number;
  /** Of an amount; null for a rate. */
  readonly sum: number | null;
  /** Of a rate; null for an amount. */
  readonly min: number | null;
  readonly max: number | null;
  readonly average: number | null;
  /** The westernmost of its offsets, which does not depend on the order in which samples arrive. */
  readonly offset: number | null;
  readonly offsetFrom: OffsetOrigin | undefined;
}

export interface DayTotalsQuery {
  readonly teamId: string;
  readonly userId: string;
  readonly provider: string;
  /** Spans of one series must not overlap. */
  readonly spans: readonly DaySpan[];
  /** Series that are not added up. */
  readonly rates: readonly string[];
}

/** Offsets reach from -18 to +18 hours, so samples of a local day are found this far outside the UTC day. */
const offsetMaxSeconds = 18 * 3600;
/** No measurement is larger, and sums of larger ones would overflow. */
const valueMax = 1e12;

interface Row extends Omit<DayTotal, 'offsetFrom'> {
  readonly origin: number | null;
}

/**
 * The totals of whole local days, by source, series and day. One statement, whatever the number of days. Of an amount that begins while an
 * earlier one of its series lasts, only the part after that one's end is added, in proportion: two apps may have counted the same steps. A
 * sample of several kinds of amounts (`parts` of its extra fields, each a value and an end in ms; `main` where there are none) counts as one
 * of each kind, and time counts once within a kind: 20 m walked do not stand for the 5 km that were ridden meanwhile. The average of a rate is
 * that of all quarters of an hour with samples, so that a workout measured every second does not outweigh the day.
 */
export async function readDayTotals({ sql }: Executor, query: DayTotalsQuery): Promise<readonly DayTotal[]> {
  const { teamId, userId, provider, spans, rates } = query;
  const texts = (pick: (span: DaySpan) => string) => textArray(spans.map(pick));
  const numbers = (pick: (span: DaySpan) => number) => plainArray(spans.map(pick));
  const isRate = sql`w.resource = ANY(${textArray(rates)}::text[])`;
  const placed = sql`(
    SELECT s.ts, s.end_ts, s.value, s.tz_offset, s.tz_origin, s.extra, floor((date_part('epoch', s.ts) + coalesce(s.tz_offset, 0)) / 86400)::int AS day
    FROM stored_samples(w.user_source_id, w.series, w.from_ts, w.to_ts) s
    WHERE abs(s.value) < ${valueMax}::float8) p
    WHERE p.day BETWEEN w.from_day AND w.to_day`;
  const parts = sql`(
    SELECT s.ts, coalesce(to_timestamp((p.value->>1)::float8 / 1000), s.end_ts) AS end_ts, coalesce((p.value->>0)::float8, s.value) AS value,
      coalesce(p.key, 'main') AS kind, s.tz_offset, s.tz_origin, s.day
    FROM (SELECT * FROM ${placed}) s LEFT JOIN LATERAL jsonb_each(s.extra->'parts') p ON true) p`;
  const rows = await sql<Row[]>`
    WITH wanted AS MATERIALIZED (
      SELECT o.user_source_id, o.source_type, k.series, k.resource, u.from_day, u.to_day,
        to_timestamp(u.from_day::float8 * 86400 - ${offsetMaxSeconds}::float8) AS from_ts,
        to_timestamp((u.to_day + 1)::float8 * 86400 + ${offsetMaxSeconds}::float8) AS to_ts
      FROM unnest(${texts(({ sourceType }) => sourceType)}::text[], ${texts(({ resource }) => resource)}::text[],
        ${numbers(({ fromDay }) => fromDay)}::int[], ${numbers(({ toDay }) => toDay)}::int[]) AS u(source_type, resource, from_day, to_day)
      JOIN sources o ON o.user_id = ${userId} AND o.team_id = ${teamId} AND o.provider = ${provider} AND o.source_type = u.source_type
      JOIN series k ON k.resource = u.resource AND k.sub_kind = ''
    )
    SELECT w.source_type AS "sourceType", w.resource, t.day, t.sum, NULL::float8 AS min, NULL::float8 AS max, NULL::float8 AS average, t."offset", t.origin
    FROM wanted w CROSS JOIN LATERAL (
      SELECT a.day, min(a.tz_offset) AS "offset", min(a.tz_origin) AS origin,
        sum(CASE WHEN a.covered IS NULL OR a.covered <= a.ts THEN a.value WHEN coalesce(a.end_ts, a.ts) <= a.covered THEN 0
          ELSE a.value * date_part('epoch', a.end_ts - a.covered) / date_part('epoch', a.end_ts - a.ts) END) AS sum
      FROM (SELECT p.*, max(p.end_ts) OVER (PARTITION BY p.day, p.kind ORDER BY p.ts ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS covered FROM ${parts}) a
      GROUP BY a.day) t
    WHERE NOT ${isRate}
    UNION ALL
    SELECT w.source_type, w.resource, t.day, NULL, t.min, t.max, t.average, t."offset", t.origin
    FROM wanted w CROSS JOIN LATERAL (
      SELECT q.day, min(q.min) AS min, max(q.max) AS max, avg(q.average) AS average, min(q."offset") AS "offset", min(q.origin) AS origin
      FROM (
        SELECT p.day, min(p.value) AS min, max(p.value) AS max, avg(p.value) AS average, min(p.tz_offset) AS "offset", min(p.tz_origin) AS origin
        FROM ${placed} GROUP BY p.day, date_bin('15 minutes', p.ts, '2000-01-01Z'::timestamptz)) q
      GROUP BY q.day) t
    WHERE ${isRate}`;
  return rows.map(({ origin, ...row }) => ({ ...row, offsetFrom: originName(origin) }));
}
