import { byteaArray, plainArray, textArray, type Tx } from '@pulsewire/database';
import type { PullConnection } from '@pulsewire/connections';
import type { PullLane, PullSpec, PullWindow } from '@pulsewire/providers';
import type { NamedObject } from '../sealed/named-object.ts';
import { exceedsQuota, isInterruptedByQuota } from './transitions.ts';

/** Windows of this rank and above wait for all others of their lane, whatever their days. */
export const lastRank = 1000;

/** A pull with its position in its connector: among windows that end on the same day the lower rank runs first. */
export interface RankedPull extends PullSpec {
  readonly rank: number;
}

export interface WindowPlan {
  readonly pull: RankedPull;
  readonly windows: readonly PullWindow[];
  /** An object to be read by itself; its window is the day on which it was announced. */
  readonly object?: NamedObject;
}

/** The windows to add for one connection. */
export interface ConnectionWindows {
  readonly connection: PullConnection;
  readonly plans: readonly WindowPlan[];
}

const noObject: NamedObject = { objectId: '', objectSealed: null };

/**
 * Plans windows. An open window is not planned twice; a finished one runs again; a running one will run once more, because its data may be
 * older than this call. When new data was announced for its days (`isAnnounced`), a window that resumes after its quota was spent also runs once
 * more, because resuming does not repeat its requests. One that was given up because it needs more than a day's quota is skipped for a day.
 * The caller holds the schedule's row.
 */
export function addWindows(
  tx: Tx,
  connection: PullConnection,
  lane: PullLane,
  plans: readonly WindowPlan[],
  now: Date,
  isAnnounced = false,
): Promise<number> {
  return addWindowsOfMany(tx, [{ connection, plans }], lane, now, isAnnounced);
}

/** The same for many connections at once, by id. The caller holds their schedules. */
export async function addWindowsOfMany(
  { sql }: Tx,
  added: readonly ConnectionWindows[],
  lane: PullLane,
  now: Date,
  isAnnounced = false,
): Promise<number> {
  const rows = added.flatMap(({ connection, plans }) =>
    plans.flatMap(({ pull, windows, object = noObject }) => windows.map((window) => ({ connection, pull, window, ...object }))),
  );
  if (rows.length === 0) return 0;
  const at = now.toISOString();
  // A window that exceeds a day's quota would use up the quota of the others repeatedly.
  const isOver = sql`w.state = 'done' OR (w.state = 'given_up' AND NOT coalesce(w.error_code = ${exceedsQuota} AND w.finished_at > ${at}::timestamptz - interval '1 day', false))`;
  // An array of arrays must be rectangular, so each row's resources travel as one text.
  const result = await sql`
    INSERT INTO pull_windows AS w (connection_id, team_id, user_id, pull, rank, resources, lane, start_date, end_date, object_id, object_sealed, state, due_at, planned_at)
    SELECT n.connection_id, n.team_id, n.user_id, n.pull, n.rank, string_to_array(n.resources, ','), ${lane},
      n.start_date, n.end_date, n.object_id, n.object_sealed, 'planned', ${at}::timestamptz, ${at}::timestamptz
    FROM unnest(
      ${plainArray(rows.map(({ connection }) => connection.connectionId))}::uuid[], ${plainArray(rows.map(({ connection }) => connection.teamId))}::uuid[],
      ${plainArray(rows.map(({ connection }) => connection.userId))}::uuid[],
      ${textArray(rows.map(({ pull }) => pull.name))}::text[], ${plainArray(rows.map(({ pull }) => pull.rank))}::smallint[], ${textArray(rows.map(({ pull }) => pull.resources.join(',')))}::text[],
      ${plainArray(rows.map(({ window }) => window.startDate))}::date[], ${plainArray(rows.map(({ window }) => window.endDate))}::date[],
      ${textArray(rows.map(({ objectId }) => objectId))}::text[],
      ${byteaArray(rows.map(({ objectSealed }) => objectSealed))}::bytea[]
    ) AS n(connection_id, team_id, user_id, pull, rank, resources, start_date, end_date, object_id, object_sealed)
    WHERE NOT EXISTS (
      SELECT 1 FROM pull_windows o
      WHERE o.connection_id = n.connection_id AND o.pull = n.pull AND o.lane = ${lane}
        AND o.state = 'planned' AND o.object_id = n.object_id AND o.start_date <= n.start_date AND o.end_date >= n.end_date
        AND NOT (${isAnnounced} AND ${isInterruptedByQuota(sql, 'o')})
      -- One look into the index for each row: joined, Postgres would read all windows of all connections.
      OFFSET 0
    )
    ON CONFLICT (connection_id, pull, lane, start_date, end_date, object_id) DO UPDATE SET
      rank = excluded.rank, resources = excluded.resources, object_sealed = coalesce(excluded.object_sealed, w.object_sealed),
      is_asked_again = w.state = 'running' OR (${isAnnounced} AND w.state = 'planned'),
      state = CASE WHEN ${isOver} THEN 'planned' ELSE w.state END,
      attempts = CASE WHEN ${isOver} THEN 0 ELSE w.attempts END,
      due_at = CASE WHEN ${isOver} THEN excluded.due_at ELSE w.due_at END,
      planned_at = CASE WHEN ${isOver} THEN excluded.planned_at ELSE w.planned_at END`;
  return result.count;
}
