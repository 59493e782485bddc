import type { Executor } from '@pulsewire/database';

/** Progress of pulls, in windows, and what they have stored. */
export interface PullProgress {
  readonly windowsTotal: number;
  readonly windowsDone: number;
  /** Given up after all attempts. */
  readonly windowsFailed: number;
  /** Open, but their connection waits until the provider's quota is full again. */
  readonly windowsWaitingForQuota: number;
  /** Samples that were new when they arrived. */
  readonly samplesStored: number;
  readonly summariesStored: number;
  readonly quarantined: number;
}

/** Progress of a team's pulls, or of one user's, or of those from one provider. */
export async function readProgress(
  { sql }: Executor,
  {
    teamId,
    userId = null,
    provider = null,
  }: { readonly teamId: string; readonly userId?: string | null; readonly provider?: string | null },
): Promise<PullProgress> {
  const [row] = await sql<Record<keyof PullProgress, string>[]>`
    SELECT count(*) AS "windowsTotal",
      count(*) FILTER (WHERE w.state = 'done') AS "windowsDone",
      count(*) FILTER (WHERE w.state = 'given_up') AS "windowsFailed",
      count(*) FILTER (WHERE w.state IN ('planned', 'failed') AND (p.resume_at > now() OR (w.lane = 'backfill' AND p.backfill_resume_at > now()))) AS "windowsWaitingForQuota",
      coalesce(sum(w.samples_created), 0) AS "samplesStored",
      coalesce(sum(w.summaries_created), 0) AS "summariesStored",
      coalesce(sum(w.quarantined), 0) AS "quarantined"
    FROM pull_windows w LEFT JOIN pull_plans p USING (connection_id)
    WHERE w.team_id = ${teamId} AND (${userId}::uuid IS NULL OR w.user_id = ${userId}::uuid)
      AND (${provider}::text IS NULL OR p.provider = ${provider}::text)`;
  const count = (key: keyof PullProgress) => Number(row?.[key] ?? 0);
  return {
    windowsTotal: count('windowsTotal'),
    windowsDone: count('windowsDone'),
    windowsFailed: count('windowsFailed'),
    windowsWaitingForQuota: count('windowsWaitingForQuota'),
    samplesStored: count('samplesStored'),
    summariesStored: count('summariesStored'),
    quarantined: count('quarantined'),
  };
}
