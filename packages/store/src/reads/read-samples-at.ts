import type { OffsetOrigin, Sample } from '@pulsewire/contract';
import { plainArray, textArray, type Executor } from '@pulsewire/database';
import { originName } from '../model/offset-origin.ts';

/** An instant of a source, ms since the epoch. */
export interface SourceInstant {
  readonly sourceType: string;
  readonly atMs: number;
}

export interface SampleAt extends SourceInstant {
  readonly resource: string;
  readonly value: number;
  /** ms since the epoch; null for a point. */
  readonly endMs: number | null;
  readonly appId: string | null;
  /** Seconds east of UTC. */
  readonly offset: number | null;
  readonly offsetFrom: OffsetOrigin | undefined;
  readonly extra: Sample['extra'] | null;
  /** At which it was stored. */
  readonly version: string;
}

interface Row extends Omit<SampleAt, 'offsetFrom'> {
  readonly origin: number | null;
}

export interface SamplesAtQuery {
  readonly teamId: string;
  readonly userId: string;
  readonly provider: string;
  /** Series without sub-kinds. */
  readonly resources: readonly string[];
  readonly instants: readonly SourceInstant[];
}

/** The samples that begin exactly at one of these instants. One statement. */
export async function readSamplesAt({ sql }: Executor, query: SamplesAtQuery): Promise<readonly SampleAt[]> {
  const { teamId, userId, provider, resources, instants } = query;
  const rows = await sql<Row[]>`
    SELECT o.source_type AS "sourceType", k.resource, w.at_ms AS "atMs", s.value, date_part('epoch', s.end_ts) * 1000 AS "endMs", c.app_id AS "appId",
      s.tz_offset AS "offset", s.tz_origin AS origin, s.extra, s.version::text
    FROM unnest(${textArray(instants.map(({ sourceType }) => sourceType))}::text[], ${plainArray(instants.map(({ atMs }) => atMs))}::float8[])
      AS w(source_type, at_ms)
    JOIN sources o ON o.user_id = ${userId} AND o.team_id = ${teamId} AND o.provider = ${provider} AND o.source_type = w.source_type
    JOIN series k ON k.resource = ANY(${textArray(resources)}::text[]) AND k.sub_kind = ''
    CROSS JOIN LATERAL stored_samples(o.user_source_id, k.series, to_timestamp(w.at_ms / 1000), to_timestamp(w.at_ms / 1000)) s
    LEFT JOIN source_contexts c ON c.context_id = s.context_id
    WHERE s.value IS NOT NULL`;
  return rows.map(({ origin, ...row }) => ({ ...row, offsetFrom: originName(origin) }));
}

interface SeriesQuery {
  readonly teamId: string;
  readonly userId: string;
  readonly provider: string;
  /** Series without sub-kinds. */
  readonly resources: readonly string[];
}

/** The first and last sample of some series of a source, ms since the epoch. */
export interface SourceExtent {
  readonly sourceType: string;
  readonly oldestMs: number;
  readonly newestMs: number;
}

/** Where the samples of these series begin and end, for each source that has any. Two index probes for each series of a source. */
export async function readSourceExtents({ sql }: Executor, query: SeriesQuery): Promise<readonly SourceExtent[]> {
  const { teamId, userId, provider, resources } = query;
  return sql<SourceExtent[]>`
    SELECT o.source_type AS "sourceType", date_part('epoch', min(e.first_ts)) * 1000 AS "oldestMs", date_part('epoch', max(e.last_ts)) * 1000 AS "newestMs"
    FROM sources o JOIN series k ON k.resource = ANY(${textArray(resources)}::text[]) AND k.sub_kind = ''
    CROSS JOIN LATERAL stored_extent(o.user_source_id, k.series) e
    WHERE e.first_ts IS NOT NULL AND o.user_id = ${userId} AND o.team_id = ${teamId} AND o.provider = ${provider}
    GROUP BY o.source_type ORDER BY o.source_type`;
}

/** The instants after a time at which samples of these series begin, in order: about `limit`, and all of the last time. */
export async function readSampleInstants(
  { sql }: Executor,
  { teamId, userId, provider, resources, afterMs, limit }: SeriesQuery & { readonly afterMs: number; readonly limit: number },
): Promise<readonly SourceInstant[]> {
  return sql<SourceInstant[]>`
    SELECT DISTINCT i.source_type AS "sourceType", date_part('epoch', i.ts) * 1000 AS "atMs" FROM (
      SELECT o.source_type, s.ts
      FROM sources o JOIN series k ON k.resource = ANY(${textArray(resources)}::text[]) AND k.sub_kind = ''
      CROSS JOIN LATERAL first_stored_samples(o.user_source_id, k.series, to_timestamp(${afterMs}::float8 / 1000) + interval '1 microsecond', 'infinity', ${limit}) s
      WHERE o.user_id = ${userId} AND o.team_id = ${teamId} AND o.provider = ${provider}
      ORDER BY s.ts FETCH FIRST ${limit} ROWS WITH TIES) i
    ORDER BY 2, 1`;
}

/** A time of an app. */
export interface AppWindow {
  readonly appId: string | null;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface SampleWithin {
  /** The series. */
  readonly kind: string;
  readonly startMs: number;
  /** Equal to the start for a point. */
  readonly endMs: number;
  readonly value: number;
}

/** Longer spans that began before a window are not read. */
const spanHoursMax = 6;

/** The samples of some series that an app measured in each of these windows, in the order of the windows. One statement. */
export async function readSamplesWithin(
  { sql }: Executor,
  { teamId, userId, provider, resources, windows }: Omit<SamplesAtQuery, 'instants'> & { readonly windows: readonly AppWindow[] },
): Promise<readonly (readonly SampleWithin[])[]> {
  const rows = await sql<(SampleWithin & { readonly ord: string })[]>`
    SELECT w.ord, k.resource AS kind, date_part('epoch', s.ts) * 1000 AS "startMs", date_part('epoch', coalesce(s.end_ts, s.ts)) * 1000 AS "endMs", s.value
    FROM unnest(${textArray(windows.map(({ appId }) => appId))}::text[], ${plainArray(windows.map(({ fromMs }) => fromMs))}::float8[],
      ${plainArray(windows.map(({ toMs }) => toMs))}::float8[]) WITH ORDINALITY AS w(app_id, from_ms, to_ms, ord)
    JOIN sources o ON o.user_id = ${userId} AND o.team_id = ${teamId} AND o.provider = ${provider}
    JOIN series k ON k.resource = ANY(${textArray(resources)}::text[]) AND k.sub_kind = ''
    CROSS JOIN LATERAL (
      SELECT s.ts, s.end_ts, s.value, s.context_id
      FROM stored_samples(o.user_source_id, k.series, to_timestamp(w.from_ms / 1000) - make_interval(hours => ${spanHoursMax}), to_timestamp(w.to_ms / 1000)) s
      WHERE coalesce(s.end_ts, s.ts) >= to_timestamp(w.from_ms / 1000) OFFSET 0) s
    LEFT JOIN source_contexts c ON c.context_id = s.context_id
    WHERE s.value IS NOT NULL AND c.app_id IS NOT DISTINCT FROM w.app_id ORDER BY s.ts`;
  const found = windows.map((): SampleWithin[] => []);
  for (const { ord, startMs, endMs, ...row } of rows)
    found[Number(ord) - 1]?.push({ ...row, startMs: Math.round(startMs), endMs: Math.round(endMs) });
  return found;
}
