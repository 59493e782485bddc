import { plainArray, type Executor } from '@pulsewire/database';
import { historyStatus, type HistoricalPullStatus } from './history-status.ts';

/** Those of these connections that have a historical pull which is not complete. */
export async function openHistories({ sql }: Executor, connectionIds: readonly string[]): Promise<readonly string[]> {
  const rows = await sql<{ connection_id: string }[]>`
    SELECT DISTINCT connection_id FROM historical_pulls
    WHERE connection_id = ANY(${plainArray(connectionIds)}::uuid[]) AND completed_at IS NULL`;
  return rows.map((row) => row.connection_id);
}

/** Progress of a connection's historical pull, over all of its resources. */
export interface HistoryProgress {
  readonly connectionId: string;
  readonly status: HistoricalPullStatus;
  readonly scheduledAt: Date;
  readonly endedAt: Date | null;
  readonly resourcesTotal: number;
  readonly resourcesEnded: number;
  readonly windowsTotal: number;
  /** Windows that were read or given up. */
  readonly windowsEnded: number;
  readonly windowsGivenUp: number;
}

interface Row {
  connection_id: string;
  scheduled_at: string;
  ended_at: string | null;
  resources: number;
  resources_ended: number;
  windows: number;
  windows_ended: number;
  given_up: number;
  is_begun: boolean | null;
  is_retrying: boolean | null;
}

/** Progress by connection; connections whose history was never requested have no entry. */
export async function readHistoryProgress(
  { sql }: Executor,
  { teamId, connectionIds }: { readonly teamId: string; readonly connectionIds: readonly string[] },
): Promise<ReadonlyMap<string, HistoryProgress>> {
  if (connectionIds.length === 0) return new Map();
  const rows = await sql<Row[]>`
    SELECT h.connection_id, min(h.planned_at) AS scheduled_at, count(*)::int AS resources, count(h.completed_at)::int AS resources_ended,
      CASE WHEN count(*) = count(h.completed_at) THEN max(h.completed_at) END AS ended_at,
      w.windows, w.windows_ended, w.given_up, w.is_begun, w.is_retrying
    FROM historical_pulls h
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS windows, (count(*) FILTER (WHERE w.state IN ('done', 'given_up')))::int AS windows_ended,
        (count(*) FILTER (WHERE w.state = 'given_up'))::int AS given_up,
        bool_or(w.state IN ('running', 'done', 'given_up')) AS is_begun,
        bool_or(w.state = 'failed' OR (w.state = 'planned' AND w.attempts > 0)) AS is_retrying
      FROM pull_windows w WHERE w.connection_id = h.connection_id AND w.lane = 'backfill'
    ) w
    WHERE h.team_id = ${teamId} AND h.connection_id = ANY(${plainArray(connectionIds)}::uuid[])
    GROUP BY h.connection_id, w.windows, w.windows_ended, w.given_up, w.is_begun, w.is_retrying`;
  return new Map(rows.map((row) => [row.connection_id, toProgress(row)]));
}

function toProgress(row: Row): HistoryProgress {
  return {
    connectionId: row.connection_id,
    status: historyStatus({
      hasEnded: row.ended_at !== null,
      windowsGivenUp: row.given_up,
      isRetrying: row.is_retrying === true,
      isBegun: row.is_begun === true,
    }),
    scheduledAt: new Date(row.scheduled_at),
    endedAt: row.ended_at === null ? null : new Date(row.ended_at),
    resourcesTotal: row.resources,
    resourcesEnded: row.resources_ended,
    windowsTotal: row.windows,
    windowsEnded: row.windows_ended,
    windowsGivenUp: row.given_up,
  };
}
