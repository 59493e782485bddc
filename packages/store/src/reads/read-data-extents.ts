import { plainArray, type Executor } from '@pulsewire/database';

/** The extent of the stored data of a resource. */
export interface DataExtent {
  readonly userId: string;
  readonly provider: string;
  readonly resource: string;
  readonly oldest: Date;
  readonly newest: Date;
  /** Stored summaries, or samples that were announced as created. */
  readonly count: number;
  /** Days of summaries; null for series. */
  readonly days: number | null;
}

/** The extents of all data of these users of a team; only from `provider` when it is given. Series take two index probes each. */
export async function readDataExtents(
  { sql }: Executor,
  { teamId, userIds, provider }: { readonly teamId: string; readonly userIds: readonly string[]; readonly provider: string | null },
): Promise<readonly DataExtent[]> {
  const ids = plainArray(userIds);
  const rows = await sql<
    { user_id: string; provider: string; resource: string; oldest: string; newest: string; count: string; days: number | null }[]
  >`
    SELECT user_id, provider, resource, min(coalesce(calendar_date::timestamp AT TIME ZONE 'UTC', at)) AS oldest,
      max(coalesce(calendar_date::timestamp AT TIME ZONE 'UTC', at)) AS newest, count(*) AS count, count(DISTINCT calendar_date)::int AS days
    FROM summaries
    WHERE user_id = ANY(${ids}::uuid[]) AND team_id = ${teamId} AND (${provider}::text IS NULL OR provider = ${provider}::text)
    GROUP BY user_id, provider, resource
    UNION ALL
    SELECT o.user_id, o.provider, k.resource, min(e.first_ts), max(e.last_ts), sum(coalesce(c.created, 0))::bigint, NULL
    FROM sources o CROSS JOIN series k
    LEFT JOIN sample_counts c ON c.user_source_id = o.user_source_id AND c.series = k.series
    CROSS JOIN LATERAL stored_extent(o.user_source_id, k.series) e
    WHERE e.first_ts IS NOT NULL AND o.user_id = ANY(${ids}::uuid[]) AND o.team_id = ${teamId} AND (${provider}::text IS NULL OR o.provider = ${provider}::text)
    GROUP BY o.user_id, o.provider, k.resource`;
  return rows.map((row) => ({
    userId: row.user_id,
    provider: row.provider,
    resource: row.resource,
    oldest: new Date(row.oldest),
    newest: new Date(row.newest),
    count: Number(row.count),
    days: row.days,
  }));
}
