import { utcDay } from '@pulsewire/kernel';
import type { Database } from '../client.ts';

/** The current day, as far as the clocks can be trusted. */
export interface AcceptedDay {
  /** `YYYY-MM-DD`. All retention by age uses this day. */
  readonly day: string;
  /** Days by which the clocks are ahead of it; 0 as long as they run evenly. */
  readonly aheadDays: number;
}

// Pools that have read the calendar before: a jump between two reads of a running process was not caused by a downtime of the process.
const known = new WeakSet<Database>();

/**
 * Advances the calendar and returns its day. It follows the earlier of this process's clock and the database's. When they jump ahead while
 * this process runs, the calendar advances by at most one day per half hour: a clock that is wrong for an hour must not drop a year of
 * partitions. A process that has just started trusts the clocks, because all processes may have been stopped for long. When the clocks go
 * back, the calendar does, too.
 */
export async function acceptDay(database: Database, now: Date): Promise<AcceptedDay> {
  const isFirst = !known.has(database);
  const [row] = await database.sql<{ day: string; ahead: number }[]>`
    WITH seen AS (SELECT least(${utcDay(now)}::date, (clock_timestamp() AT TIME ZONE 'UTC')::date) AS day)
    INSERT INTO calendar AS c (day, moved_at) SELECT day, clock_timestamp() FROM seen
    ON CONFLICT (is_only) DO UPDATE SET
      day = CASE
        WHEN ${isFirst} OR excluded.day <= c.day + 1 THEN excluded.day
        WHEN c.moved_at BETWEEN clock_timestamp() - interval '30 minutes' AND clock_timestamp() THEN c.day
        ELSE c.day + 1 END,
      moved_at = CASE
        WHEN NOT ${isFirst} AND excluded.day > c.day + 1 AND c.moved_at BETWEEN clock_timestamp() - interval '30 minutes' AND clock_timestamp()
        THEN c.moved_at ELSE clock_timestamp() END
    RETURNING c.day::text AS day, (SELECT day FROM seen) - c.day AS ahead`;
  known.add(database);
  return { day: row?.day ?? utcDay(now), aheadDays: row?.ahead ?? 0 };
}
