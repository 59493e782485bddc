import type { OffsetOrigin } from '@pulsewire/contract';
import type { Executor } from '@pulsewire/database';
import { originName } from '../model/offset-origin.ts';

/** The number of records of a source whose offsets have one origin, and their time range. */
export interface OffsetOrigins {
  readonly provider: string;
  readonly sourceType: string;
  /** `assumed`: no offset is known, and wall clocks were read as UTC. `unrecorded`: stored before origins were. */
  readonly origin: OffsetOrigin | 'assumed' | 'unrecorded';
  readonly count: number;
  /** ms since the epoch, both inclusive. */
  readonly fromMs: number;
  readonly toMs: number;
}

export interface OffsetOriginsQuery {
  readonly teamId: string;
  readonly userId: string;
  readonly resource: string;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

interface Row {
  provider: string;
  source_type: string;
  has_offset: boolean;
  tz_origin: number | null;
  count: number;
  from_ms: number;
  to_ms: number;
}

/**
 * The origins of the offsets of a user's samples or summaries. A resource has either samples or summaries, so only one of the two has rows.
 */
export async function readOffsetOrigins({ sql }: Executor, query: OffsetOriginsQuery): Promise<readonly OffsetOrigins[]> {
  const { teamId, userId, resource } = query;
  const [from, to] = [sql`to_timestamp(${query.fromMs}::float8 / 1000)`, sql`to_timestamp(${query.toMs}::float8 / 1000)`];
  const rows = await sql<Row[]>`
    SELECT provider, source_type, has_offset, tz_origin, count(*)::int AS count,
           date_part('epoch', min(at)) * 1000 AS from_ms, date_part('epoch', max(at)) * 1000 AS to_ms
    FROM (
      SELECT u.provider, u.source_type, s.tz_offset IS NOT NULL AS has_offset, s.tz_origin, s.ts AS at
      FROM sources u CROSS JOIN series r CROSS JOIN LATERAL stored_samples(u.user_source_id, r.series, ${from}, ${to}) s
      WHERE u.user_id = ${userId} AND u.team_id = ${teamId} AND r.resource = ${resource} AND s.ts < ${to}
      UNION ALL
      SELECT provider, source->>'type', jsonb_typeof(data->'timezone_offset') = 'number', tz_origin, at
      FROM summaries
      WHERE user_id = ${userId} AND team_id = ${teamId} AND resource = ${resource} AND at >= ${from} AND at < ${to} AND data ? 'timezone_offset'
    ) AS records
    GROUP BY provider, source_type, has_offset, tz_origin ORDER BY provider, source_type, from_ms, tz_origin`;
  return rows.map((row) => ({
    provider: row.provider,
    sourceType: row.source_type,
    origin: row.has_offset ? (originName(row.tz_origin) ?? 'unrecorded') : 'assumed',
    count: row.count,
    fromMs: Math.round(row.from_ms),
    toMs: Math.round(row.to_ms),
  }));
}
