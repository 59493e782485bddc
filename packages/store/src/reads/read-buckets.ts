import { timeseriesResource } from '@pulsewire/contract';
import type { Executor } from '@pulsewire/database';

/** The samples of a source that begin in one stretch of time. */
export interface SampleBucket {
  readonly provider: string;
  readonly sourceType: string;
  /** Empty when the resource has no sub-kinds. */
  readonly subKind: string;
  /** Begins this many buckets after the window does. */
  readonly nth: number;
  readonly count: number;
  readonly min: number | null;
  readonly avg: number | null;
  readonly max: number | null;
  readonly sum: number | null;
}

export interface BucketQuery {
  readonly teamId: string;
  readonly userId: string;
  /** Resource name as in events. */
  readonly resource: string;
  readonly provider: string;
  /** Both inclusive, ms since the epoch. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly bucketMs: number;
  readonly limit: number;
}

type Row = Omit<SampleBucket, 'sourceType' | 'subKind'> & { readonly source_type: string; readonly sub_kind: string };

/**
 * A user's samples in buckets that begin with the window, by source and time. A bucket without samples is missing: nothing is interpolated,
 * so a gap stays one.
 */
export async function readBuckets({ sql }: Executor, query: BucketQuery): Promise<readonly SampleBucket[]> {
  const { teamId, userId, provider, fromMs, toMs, bucketMs, limit } = query;
  const resource = timeseriesResource(query.resource).name;
  const rows = await sql<Row[]>`
    SELECT o.provider, o.source_type, k.sub_kind, b.* FROM sources o CROSS JOIN series k CROSS JOIN LATERAL (
      SELECT floor((date_part('epoch', s.ts) * 1000 - ${fromMs}::float8) / ${bucketMs}::float8)::int AS nth, count(*)::int AS count,
        min(s.value) AS min, avg(s.value) AS avg, max(s.value) AS max, sum(s.value) AS sum
      FROM stored_samples(o.user_source_id, k.series, to_timestamp(${fromMs}::float8 / 1000), to_timestamp(${toMs}::float8 / 1000)) s
      GROUP BY 1
    ) b
    WHERE o.user_id = ${userId} AND o.team_id = ${teamId} AND k.resource = ${resource} AND (${provider} = '' OR o.provider = ${provider})
    ORDER BY o.provider, o.source_type, k.sub_kind, b.nth LIMIT ${limit}`;
  return rows.map(({ source_type: sourceType, sub_kind: subKind, ...row }) => ({ ...row, sourceType, subKind }));
}
