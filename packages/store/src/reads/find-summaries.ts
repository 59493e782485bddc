import type { OffsetOrigin, SourceRef } from '@pulsewire/contract';
import { plainArray, type Executor } from '@pulsewire/database';
import { originName } from '../model/offset-origin.ts';

/** What is stored of a summary. */
export interface StoredSummary {
  readonly data: Readonly<Record<string, unknown>>;
  readonly offsetFrom: OffsetOrigin | undefined;
}

/** The user's stored summaries among these ids. */
export async function findSummaries(
  { sql }: Executor,
  { teamId, userId }: { readonly teamId: string; readonly userId: string },
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredSummary>> {
  const rows = await sql<{ id: string; data: StoredSummary['data']; origin: number | null }[]>`
    SELECT id, data, tz_origin AS origin FROM summaries WHERE id = ANY(${plainArray(ids)}::uuid[]) AND user_id = ${userId} AND team_id = ${teamId}`;
  return new Map(rows.map(({ id, data, origin }) => [id, { data, offsetFrom: originName(origin) }]));
}

export interface SummariesAtQuery {
  readonly teamId: string;
  readonly userId: string;
  readonly provider: string;
  readonly resource: string;
  /** ms since the epoch. */
  readonly instants: readonly number[];
}

/** A stored summary. */
export interface SummaryAt {
  readonly id: string;
  readonly source: SourceRef;
  readonly atMs: number;
  readonly calendarDate: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly offsetFrom: OffsetOrigin | undefined;
  /** Of a workout. */
  readonly hasStream: boolean;
}

type Row = Omit<SummaryAt, 'offsetFrom'> & { readonly origin: number | null };

/** The summaries of a provider that begin exactly at one of these instants, oldest first. One statement. */
export async function readSummariesAt({ sql }: Executor, query: SummariesAtQuery): Promise<readonly SummaryAt[]> {
  const { teamId, userId, provider, resource, instants } = query;
  const rows = await sql<Row[]>`
    SELECT s.id, s.source, date_part('epoch', s.at) * 1000 AS "atMs", s.calendar_date::text AS "calendarDate", s.data, s.tz_origin AS origin,
      EXISTS (SELECT 1 FROM workout_streams w WHERE w.workout_id = s.id) AS "hasStream"
    FROM (SELECT DISTINCT to_timestamp(i.at_ms / 1000) AS at FROM unnest(${plainArray(instants)}::float8[]) AS i(at_ms)) w
    JOIN summaries s ON s.user_id = ${userId} AND s.resource = ${resource} AND s.at = w.at
    WHERE s.team_id = ${teamId} AND s.provider = ${provider}
    ORDER BY s.created_at, s.id`;
  return rows.map(({ origin, atMs, ...row }) => ({ ...row, atMs: Math.round(atMs), offsetFrom: originName(origin) }));
}
