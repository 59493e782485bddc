import type { Clock } from '@pulsewire/kernel';
import type { Executor } from '@pulsewire/database';

export interface UserMetrics {
  readonly users: number;
  readonly connections: number;
  readonly erroredConnections: number;
  /** New connections of each of the last weeks (Monday, UTC) and all up to its end; oldest first. */
  readonly byWeek: readonly { readonly week: string; readonly created: number; readonly all: number }[];
}

const weeks = 12;

/** Figures of a team: live users and their connections, and how these grew over twelve weeks. */
export async function readUserMetrics({ sql }: Executor, clock: Clock, teamId: string): Promise<UserMetrics> {
  const [users] = await sql<{ live: number }[]>`SELECT count(*)::int AS live FROM users WHERE team_id = ${teamId} AND deleted_at IS NULL`;
  const [connections] = await sql<{ all: number; errored: number }[]>`
    SELECT count(*)::int AS all, count(*) FILTER (WHERE status = 'error')::int AS errored FROM connections WHERE team_id = ${teamId}`;
  const rows = await sql<{ week: string; created: number; all: number }[]>`
    SELECT to_char(w, 'YYYY-MM-DD') AS week,
      count(*) FILTER (WHERE c.created_at AT TIME ZONE 'UTC' >= w)::int AS created,
      count(c.connection_id)::int AS all
    FROM generate_series(date_trunc('week', ${clock.now().toISOString()}::timestamptz AT TIME ZONE 'UTC') - make_interval(weeks => ${weeks - 1}),
      date_trunc('week', ${clock.now().toISOString()}::timestamptz AT TIME ZONE 'UTC'), interval '1 week') AS w
    LEFT JOIN connections c ON c.team_id = ${teamId} AND c.created_at AT TIME ZONE 'UTC' < w + interval '1 week'
    GROUP BY w ORDER BY w`;
  return { users: users?.live ?? 0, connections: connections?.all ?? 0, erroredConnections: connections?.errored ?? 0, byWeek: rows };
}
