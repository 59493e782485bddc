import { renderSample, renderSource, timeseriesResource, type Sample, type SourceRef, type WireSample } from '@pulsewire/contract';
import type { Executor } from '@pulsewire/database';
import { filterHash, readCursor, writeCursor } from './cursor.ts';

export interface SampleQuery {
  readonly teamId: string;
  readonly userId: string;
  /** Resource name as in events. */
  readonly resource: string;
  /** The only sub-kind to read; absent: all of them. */
  readonly subKind?: string;
  readonly provider?: string;
  /** Both inclusive, ms since the epoch. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly cursor?: string | null;
  /** Samples a page. */
  readonly limit: number;
}

export interface SamplePage {
  /** Provider slug to its groups, one for each source context. */
  readonly groups: Readonly<Record<string, readonly { source: ReturnType<typeof renderSource>; data: readonly WireSample[] }[]>>;
  readonly nextCursor: string | null;
}

interface Row {
  provider: string;
  source_type: string;
  series: number;
  sub_kind: string;
  ts_ms: number;
  end_ms: number | null;
  value: number | null;
  value2: number | null;
  tz_offset: number | null;
  extra: Record<string, unknown> | null;
  app_id: string | null;
  device_id: string | null;
  sport: string | null;
  workout_id: string | null;
}

/**
 * One page of a user's samples, by provider, source type and time.
 * Throws AppError `cursor_unreadable` for a cursor of another query.
 */
export async function readGroupedSamples({ sql }: Executor, query: SampleQuery): Promise<SamplePage> {
  const resource = timeseriesResource(query.resource);
  const hash = filterHash([query.userId, query.resource, query.subKind ?? '', query.provider ?? '', query.fromMs, query.toMs]);
  const after = query.cursor ? readCursor(query.cursor, hash) : null;
  const rows = await sql<Row[]>`
    SELECT w.provider, w.source_type, w.series, w.sub_kind, date_part('epoch', s.ts) * 1000 AS ts_ms, date_part('epoch', s.end_ts) * 1000 AS end_ms,
           s.value, s.value2, s.tz_offset, s.extra, c.app_id, c.device_id, c.sport, c.workout_id
    FROM (
      SELECT o.user_source_id, o.provider COLLATE "C" AS provider, o.source_type COLLATE "C" AS source_type, k.series, k.sub_kind,
             ${after === null} OR (o.provider COLLATE "C", o.source_type COLLATE "C") > (${after?.provider ?? ''}, ${after?.sourceType ?? ''}) AS is_whole
      FROM sources o CROSS JOIN series k
      WHERE o.user_id = ${query.userId} AND o.team_id = ${query.teamId} AND k.resource = ${query.resource}
        AND (${query.provider ?? ''} = '' OR o.provider = ${query.provider ?? ''}) AND (${query.subKind ?? ''} = '' OR k.sub_kind = ${query.subKind ?? ''})
        AND (${after === null} OR (o.provider COLLATE "C", o.source_type COLLATE "C") >= (${after?.provider ?? ''}, ${after?.sourceType ?? ''}))
    ) w
    -- A page's worth of each series by its key, so that a page costs the same wherever it begins.
    CROSS JOIN LATERAL (
      SELECT * FROM first_stored_samples(w.user_source_id, w.series,
        CASE WHEN w.is_whole THEN to_timestamp(${query.fromMs}::float8 / 1000) ELSE to_timestamp(${after?.tsMs ?? 0}::float8 / 1000)
          + CASE WHEN w.series > ${after?.series ?? 0}::smallint THEN interval '0' ELSE interval '1 microsecond' END END,
        to_timestamp(${query.toMs}::float8 / 1000), ${query.limit + 1})
    ) s
    LEFT JOIN source_contexts c ON c.context_id = s.context_id
    ORDER BY w.provider, w.source_type, s.ts, w.series
    LIMIT ${query.limit + 1}`;
  const page = rows.slice(0, query.limit);
  const last = rows.length > query.limit ? page.at(-1) : undefined;

  const groups: Record<string, { source: ReturnType<typeof renderSource>; data: WireSample[] }[]> = {};
  const byContext = new Map<string, WireSample[]>();
  for (const row of page) {
    const source: SourceRef = {
      provider: row.provider,
      type: row.source_type,
      appId: row.app_id,
      deviceId: row.device_id,
      sport: row.sport,
      workoutId: row.workout_id,
    };
    const key = JSON.stringify(source);
    let data = byContext.get(key);
    if (!data) {
      byContext.set(key, (data = []));
      (groups[row.provider] ??= []).push({ source: renderSource(source), data });
    }
    data.push(renderSample(resource, row.sub_kind === '' ? undefined : row.sub_kind, toSample(row)));
  }
  const nextCursor = last
    ? writeCursor({ provider: last.provider, sourceType: last.source_type, tsMs: Math.round(last.ts_ms), series: last.series }, hash)
    : null;
  return { groups, nextCursor };
}

function toSample(row: Row): Sample {
  return {
    ts: Math.round(row.ts_ms),
    value: row.value,
    timezoneOffset: row.tz_offset,
    ...(row.end_ms !== null && { end: Math.round(row.end_ms) }),
    ...(row.value2 !== null && { value2: row.value2 }),
    ...(row.extra !== null && { extra: row.extra }),
  };
}
