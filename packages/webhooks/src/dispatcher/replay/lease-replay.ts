import { isLeaseFree, leaseEnd, type Executor, type Tx } from '@pulsewire/database';
import type { ReplayProgress } from '../../model/tables.ts';

/** A replay that we lease for one batch. */
export interface RunningReplay {
  readonly replayId: string;
  readonly teamId: string;
  readonly endpointId: string;
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly userId: string | null;
  readonly eventTypes: readonly string[] | null;
  readonly selection: 'all' | 'failed' | 'missing' | 'undelivered';
  readonly progress: ReplayProgress | null;
}

/** Most replays of one team that run concurrently. */
const replaysPerTeamMax = 2;
/** Rows removed by one statement. */
const removedMax = 10_000;
/** How long a batch may take before another dispatcher takes over. No batch or pause lasts as long as the longest lease. */
const leaseMs = 10_000;

interface Row {
  replay_id: string;
  team_id: string;
  endpoint_id: string;
  since_ms: string;
  until_ms: string;
  user_id: string | null;
  event_types: string[] | null;
  selection: RunningReplay['selection'];
  progress: ReplayProgress | null;
}

/**
 * Leases the replay that is next; undefined when none is due. Rotates among teams: first the team that has waited longest since a batch
 * of any of its replays, then the one of its replays that has. At most `replaysPerTeamMax` replays of a team run concurrently over all
 * dispatchers.
 */
export async function takeReplay({ sql }: Executor, owner: string): Promise<RunningReplay | undefined> {
  const [row] = await sql<Row[]>`
    UPDATE webhook_replays
    SET lease_owner = ${owner}, lease_until = ${leaseEnd(sql, leaseMs)}, last_turn_at = clock_timestamp()
    WHERE replay_id = (
      SELECT r.replay_id FROM webhook_replays r
      JOIN (
        SELECT team_id, max(last_turn_at) AS last_turn_at, count(*) FILTER (WHERE lease_owner IS NOT NULL AND lease_until > now()) AS under_way
        FROM webhook_replays WHERE status = 'running' GROUP BY team_id
      ) t ON t.team_id = r.team_id
      WHERE r.status = 'running' AND ${isLeaseFree(sql, 'r.lease_until')} AND t.under_way < ${replaysPerTeamMax}
      ORDER BY t.last_turn_at NULLS FIRST, r.last_turn_at NULLS FIRST, r.replay_id LIMIT 1 FOR UPDATE OF r SKIP LOCKED)
    RETURNING replay_id, team_id, endpoint_id, (extract(epoch FROM since) * 1000)::bigint AS since_ms,
      (extract(epoch FROM until) * 1000)::bigint AS until_ms, user_id, event_types, selection, progress`;
  return (
    row && {
      replayId: row.replay_id,
      teamId: row.team_id,
      endpointId: row.endpoint_id,
      sinceMs: Number(row.since_ms),
      untilMs: Number(row.until_ms),
      userId: row.user_id,
      eventTypes: row.event_types,
      selection: row.selection,
      progress: row.progress,
    }
  );
}

/** The result of a batch. */
export interface ReplayBatchOutcome {
  readonly progress: ReplayProgress | null;
  readonly matched: number;
  readonly enqueued: number;
  readonly status: 'running' | 'completed' | 'failed';
  readonly error: string | null;
  /** When the next batch may begin, in milliseconds. */
  readonly pauseMs: number;
}

/** Ends a batch under its lease; false: the replay was cancelled, removed, or taken over, and the batch must be rolled back. */
export async function endReplayBatch(
  { sql }: Tx | Executor,
  replayId: string,
  owner: string,
  outcome: ReplayBatchOutcome,
): Promise<boolean> {
  const { progress, matched, enqueued, status, error, pauseMs } = outcome;
  const result = await sql`
    UPDATE webhook_replays
    SET progress = coalesce(${progress === null ? null : JSON.stringify(progress)}::text::jsonb, progress), total = total + ${matched}, enqueued = enqueued + ${enqueued},
        status = ${status}, error = ${error}, ended_at = CASE WHEN ${status} <> 'running' THEN clock_timestamp() END,
        lease_owner = NULL, lease_until = clock_timestamp() + ${pauseMs}::int * interval '1 ms'
    WHERE replay_id = ${replayId} AND status = 'running' AND lease_owner = ${owner}`;
  return result.count > 0;
}

/** Rows of a replay that are not settled, and those of them without an attempt. */
export async function countRows({ sql }: Executor, replayId: string): Promise<{ readonly open: number; readonly untried: number }> {
  const [row] = await sql<{ open: number; untried: number }[]>`
    SELECT count(*)::int AS open, (count(*) FILTER (WHERE attempts = 0))::int AS untried FROM webhook_pending WHERE replay_id = ${replayId}`;
  return row ?? { open: 0, untried: 0 };
}

/**
 * Removes the rows of cancelled and removed replays; attempts in progress end by themselves. Rows that are locked are skipped: the next
 * call removes them.
 */
export async function removeCancelled({ sql }: Executor): Promise<number> {
  const result = await sql`
    WITH gone AS MATERIALIZED (
      SELECT p.endpoint_id, p.event_id FROM webhook_pending p
      WHERE p.replay_id IS NOT NULL AND (p.lease_until IS NULL OR p.lease_until < now())
        AND NOT EXISTS (SELECT FROM webhook_replays r WHERE r.replay_id = p.replay_id AND r.status IN ('running', 'completed'))
      LIMIT ${removedMax} FOR UPDATE OF p SKIP LOCKED
    )
    DELETE FROM webhook_pending p USING gone g WHERE p.endpoint_id = g.endpoint_id AND p.event_id = g.event_id`;
  return result.count;
}
