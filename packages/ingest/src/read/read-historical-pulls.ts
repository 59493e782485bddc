import { plainArray, type Executor } from '@pulsewire/database';
import { historyStatus, type HistoricalPullStatus } from './history-status.ts';

/** The reading of a resource's history. */
export interface HistoricalPull {
  readonly userId: string;
  readonly provider: string;
  readonly resource: string;
  readonly status: HistoricalPullStatus;
  /** `YYYY-MM-DD`. */
  readonly startDate: string;
  readonly endAt: Date;
  readonly scheduledAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** Number of days in windows that returned data. */
  readonly daysPulled: number;
  readonly windowsGivenUp: number;
  /** Code of the last failure that was not followed by a success. */
  readonly errorCode: string | null;
  /** Of the run that started last; null before the first. */
  readonly traceId: string | null;
}

interface Row {
  user_id: string;
  provider: string;
  resource: string;
  start_date: string;
  end_at: string;
  planned_at: string;
  completed_at: string | null;
  started_at: string | null;
  is_begun: boolean | null;
  is_retrying: boolean | null;
  given_up: number;
  days: number;
  error_code: string | null;
  trace_id: string | null;
}

/** The newest historical pull of each resource of these users of a team; only from `provider` when it is given. */
export async function readHistoricalPulls(
  { sql }: Executor,
  { teamId, userIds, provider }: { readonly teamId: string; readonly userIds: readonly string[]; readonly provider: string | null },
): Promise<readonly HistoricalPull[]> {
  const rows = await sql<Row[]>`
    SELECT DISTINCT ON (h.user_id, p.provider, h.resource) h.user_id, p.provider, h.resource, h.start_date::text AS start_date, h.end_at,
      h.planned_at, h.completed_at, w.*
    FROM historical_pulls h JOIN pull_plans p USING (connection_id)
    CROSS JOIN LATERAL (
      SELECT min(w.started_at) AS started_at,
        bool_or(w.state IN ('running', 'done', 'given_up')) AS is_begun,
        bool_or(w.state = 'failed' OR (w.state = 'planned' AND w.attempts > 0)) AS is_retrying,
        (count(*) FILTER (WHERE w.state = 'given_up'))::int AS given_up,
        coalesce(sum(w.end_date - w.start_date + 1) FILTER (WHERE w.samples_received + w.summaries_received > 0), 0)::int AS days,
        (array_agg(w.error_code ORDER BY w.finished_at DESC NULLS LAST) FILTER (WHERE w.error_code IS NOT NULL))[1] AS error_code,
        (array_agg(w.trace_id ORDER BY w.started_at DESC) FILTER (WHERE w.trace_id IS NOT NULL))[1] AS trace_id
      FROM pull_windows w
      WHERE w.connection_id = h.connection_id AND w.lane = 'backfill' AND h.resource = ANY(w.resources)
    ) w
    WHERE h.team_id = ${teamId} AND h.user_id = ANY(${plainArray(userIds)}::uuid[])
      AND (${provider}::text IS NULL OR p.provider = ${provider}::text)
    ORDER BY h.user_id, p.provider, h.resource, h.planned_at DESC`;
  return rows.map((row) => ({
    userId: row.user_id,
    provider: row.provider,
    resource: row.resource,
    status: historyStatus({
      hasEnded: row.completed_at !== null,
      windowsGivenUp: row.given_up,
      isRetrying: row.is_retrying === true,
      isBegun: row.is_begun === true,
    }),
    startDate: row.start_date,
    endAt: new Date(row.end_at),
    scheduledAt: new Date(row.planned_at),
    startedAt: row.started_at === null ? null : new Date(row.started_at),
    endedAt: row.completed_at === null ? null : new Date(row.completed_at),
    daysPulled: row.days,
    windowsGivenUp: row.given_up,
    errorCode: row.error_code,
    traceId: row.trace_id,
  }));
}
