import { and, count, eq, isNull } from 'drizzle-orm';
import type { Clock } from '@pulsewire/kernel';
import { run, type Executor } from '@pulsewire/database';
import { users } from '../model/tables.ts';

export interface UserMetrics {
  readonly users: number;
  readonly connections: number;
  readonly erroredConnections: number;
  /** For each of the last weeks (from Monday, UTC): new connections, and all connections at its end; oldest first. */
  readonly byWeek: readonly { readonly week: string; readonly created: number; readonly all: number }[];
}

const weeks = 12;

/** Counts of a team's live users and connections, and the growth of the connections over twelve weeks. */
export async function readUserMetrics({ sql, orm }: Executor, clock: Clock, teamId: string): Promise<UserMetrics> {
  const [live] = await run(
    orm
      .select({ users: count() })
      .from(users)
      .where(and(eq(users.teamId, teamId), isNull(users.deletedAt))),
  );
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
  return { users: live?.users ?? 0, connections: connections?.all ?? 0, erroredConnections: connections?.errored ?? 0, byWeek: rows };
}
