import { plainArray, textArray, type Executor } from '@pulsewire/database';

export interface DataSource {
  readonly userId: string;
  readonly provider: string;
}

/** The time of the newest data of a source. */
export interface NewestData extends DataSource {
  readonly at: Date;
}

/** The newest sample or summary of these sources of a team; those without data are missing. An index probe for summaries and each series. */
export async function readNewestData({ sql }: Executor, teamId: string, of: readonly DataSource[]): Promise<readonly NewestData[]> {
  if (of.length === 0) return [];
  const rows = await sql<{ user_id: string; provider: string; at: string }[]>`
    WITH wanted AS (
      SELECT DISTINCT * FROM unnest(${plainArray(of.map(({ userId }) => userId))}::uuid[], ${textArray(of.map(({ provider }) => provider))}::text[])
        AS w(user_id, provider)
    ),
    found AS (
      SELECT w.user_id, w.provider, e.last_ts AS at
      FROM wanted w JOIN sources o ON o.user_id = w.user_id AND o.provider = w.provider AND o.team_id = ${teamId}
      JOIN sample_counts c USING (user_source_id) CROSS JOIN LATERAL stored_extent(c.user_source_id, c.series) e
      UNION ALL
      SELECT w.user_id, w.provider, n.at FROM wanted w CROSS JOIN LATERAL (
        SELECT s.at FROM summaries s WHERE s.user_id = w.user_id AND s.provider = w.provider AND s.team_id = ${teamId}
        ORDER BY s.at DESC LIMIT 1
      ) n
    )
    SELECT user_id, provider, max(at) AS at FROM found WHERE at IS NOT NULL GROUP BY user_id, provider`;
  return rows.map((row) => ({ userId: row.user_id, provider: row.provider, at: new Date(row.at) }));
}
