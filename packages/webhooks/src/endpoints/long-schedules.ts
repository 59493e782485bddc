import type { Executor } from '@pulsewire/database';
import { jitterShare } from '../model/time/retry-schedule.ts';

/** An endpoint whose last attempts may be due after its events were dropped. */
export interface LongSchedule {
  readonly endpointId: string;
  readonly teamId: string;
  /** Its longest possible total wait in days, rounded up. */
  readonly days: number;
}

/**
 * Finds endpoints whose custom schedule may outlast the retention of events, which happens when retention was shortened after the schedule
 * was set.
 */
export async function findLongSchedules({ sql }: Executor, keptDays: number, limit = 100): Promise<readonly LongSchedule[]> {
  const rows = await sql<{ endpoint_id: string; team_id: string; days: number }[]>`
    SELECT e.endpoint_id, e.team_id, ceil(w.seconds * ${1 + jitterShare}::float8 / 86400)::int AS days
    FROM webhook_endpoints e CROSS JOIN LATERAL (SELECT sum(s) AS seconds FROM unnest(e.retry_schedule) AS s) w
    WHERE e.retry_schedule IS NOT NULL AND w.seconds * ${1 + jitterShare}::float8 > ${keptDays}::float8 * 86400
    ORDER BY days DESC, e.endpoint_id LIMIT ${limit}`;
  return rows.map((row) => ({ endpointId: row.endpoint_id, teamId: row.team_id, days: row.days }));
}
