import { plainArray, type Executor } from '@pulsewire/database';

/** The last pull of a resource of a user from a provider. */
export interface LastAttempt {
  readonly userId: string;
  readonly provider: string;
  readonly resource: string;
  readonly at: Date;
  readonly isSuccess: boolean;
}

/** The last finished pull of each resource of these users of a team; only from `provider` when it is given. */
export async function readLastAttempts(
  { sql }: Executor,
  { teamId, userIds, provider }: { readonly teamId: string; readonly userIds: readonly string[]; readonly provider: string | null },
): Promise<readonly LastAttempt[]> {
  const rows = await sql<{ user_id: string; provider: string; resource: string; finished_at: string; is_success: boolean }[]>`
    SELECT DISTINCT ON (w.user_id, p.provider, r.resource) w.user_id, p.provider, r.resource, w.finished_at, w.error_code IS NULL AS is_success
    FROM pull_windows w JOIN pull_plans p USING (connection_id) CROSS JOIN LATERAL unnest(w.resources) AS r(resource)
    WHERE w.team_id = ${teamId} AND w.user_id = ANY(${plainArray(userIds)}::uuid[]) AND w.finished_at IS NOT NULL
      AND (${provider}::text IS NULL OR p.provider = ${provider}::text)
    ORDER BY w.user_id, p.provider, r.resource, w.finished_at DESC`;
  return rows.map((row) => ({
    userId: row.user_id,
    provider: row.provider,
    resource: row.resource,
    at: new Date(row.finished_at),
    isSuccess: row.is_success,
  }));
}
