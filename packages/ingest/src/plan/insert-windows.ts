import { plainArray, textArray, type Tx } from '@pulsewire/database';
import type { PullConnection } from '@pulsewire/connections';
import type { PullLane, PullSpec, PullWindow } from '@pulsewire/providers';

/** A pull with its place in its connector: of windows that end on the same day the lower one goes first. */
export interface RankedPull extends PullSpec {
  readonly rank: number;
}

export type Lane = PullLane;

export interface WindowPlan {
  readonly pull: RankedPull;
  readonly windows: readonly PullWindow[];
  /** Objects to be read by themselves; their window is the day on which they were announced. */
  readonly objectId?: string;
}

/**
 * Plans windows. One that is open already is not planned twice; a finished one runs again; one that is running will
 * run once more, because what it has read may be older than this call. The caller holds the plan's row.
 */
export async function insertWindows(
  { sql }: Tx,
  connection: PullConnection,
  lane: Lane,
  plans: readonly WindowPlan[],
  now: Date,
): Promise<number> {
  const rows = plans.flatMap(({ pull, windows, objectId = '' }) => windows.map((window) => ({ pull, window, objectId })));
  if (rows.length === 0) return 0;
  const at = now.toISOString();
  // An array of arrays must be rectangular, so each row's resources travel as one text.
  const result = await sql`
    INSERT INTO pull_windows AS w (connection_id, team_id, user_id, pull, rank, resources, lane, start_date, end_date, object_id, state, due_at, planned_at)
    SELECT ${connection.connectionId}::uuid, ${connection.teamId}::uuid, ${connection.userId}::uuid, n.pull, n.rank, string_to_array(n.resources, ','), ${lane},
      n.start_date, n.end_date, n.object_id, 'planned', ${at}::timestamptz, ${at}::timestamptz
    FROM unnest(
      ${textArray(rows.map(({ pull }) => pull.name))}::text[], ${plainArray(rows.map(({ pull }) => pull.rank))}::smallint[], ${textArray(rows.map(({ pull }) => pull.resources.join(',')))}::text[],
      ${plainArray(rows.map(({ window }) => window.startDate))}::date[], ${plainArray(rows.map(({ window }) => window.endDate))}::date[],
      ${textArray(rows.map(({ objectId }) => objectId))}::text[]
    ) AS n(pull, rank, resources, start_date, end_date, object_id)
    WHERE NOT EXISTS (
      SELECT 1 FROM pull_windows o
      WHERE o.connection_id = ${connection.connectionId} AND o.pull = n.pull AND o.lane = ${lane}
        AND o.state = 'planned' AND o.object_id = n.object_id AND o.start_date <= n.start_date AND o.end_date >= n.end_date
    )
    ON CONFLICT (connection_id, pull, lane, start_date, end_date, object_id) DO UPDATE SET
      rank = excluded.rank, resources = excluded.resources,
      is_asked_again = w.state = 'running',
      state = CASE WHEN w.state IN ('done', 'given_up') THEN 'planned' ELSE w.state END,
      attempts = CASE WHEN w.state IN ('done', 'given_up') THEN 0 ELSE w.attempts END,
      due_at = CASE WHEN w.state IN ('done', 'given_up') THEN excluded.due_at ELSE w.due_at END,
      planned_at = CASE WHEN w.state IN ('done', 'given_up') THEN excluded.planned_at ELSE w.planned_at END`;
  return result.count;
}
