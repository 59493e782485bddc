import { plainArray, textArray, type Executor } from '@pulsewire/database';

/** An instant of a source, ms since the epoch. */
export interface SourceInstant {
  readonly sourceType: string;
  readonly atMs: number;
}

export interface SampleAt extends SourceInstant {
  readonly resource: string;
  readonly value: number;
  readonly appId: string | null;
  /** Seconds east of UTC. */
  readonly offset: number | null;
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
  const rows = await sql<SampleAt[]>`
    SELECT o.source_type AS "sourceType", k.resource, w.at_ms AS "atMs", s.value, c.app_id AS "appId", s.tz_offset AS "offset"
    FROM unnest(${textArray(instants.map(({ sourceType }) => sourceType))}::text[], ${plainArray(instants.map(({ atMs }) => atMs))}::float8[])
      AS w(source_type, at_ms)
    JOIN sources o ON o.user_id = ${userId} AND o.team_id = ${teamId} AND o.provider = ${provider} AND o.source_type = w.source_type
    JOIN series k ON k.resource = ANY(${textArray(resources)}::text[]) AND k.sub_kind = ''
    JOIN samples s ON s.user_source_id = o.user_source_id AND s.series = k.series AND s.ts = to_timestamp(w.at_ms / 1000)
    LEFT JOIN source_contexts c ON c.context_id = s.context_id
    WHERE s.value IS NOT NULL`;
  return rows;
}
