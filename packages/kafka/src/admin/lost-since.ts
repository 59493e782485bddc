import type { Database } from '@pulsewire/database';

/** Upper bound of the event topic's retention; older records can no longer be read. */
const keptDays = 8;
/** The clocks of the relays and of the database may differ by this much. */
const clocksDifferMs = 600_000;

/**
 * The time from which the event topic may contain records of lost events, ms since the epoch; null when no loss of history is within its
 * retention. Every lost event was committed after the last remaining event of its generation.
 */
export async function lostSince({ sql }: Database): Promise<number | null> {
  const [row] = await sql<{ losses: number; since: string | null }[]>`
    SELECT count(*)::int AS losses, min(coalesce(last_at, 0))::text AS since FROM (
      SELECT g.generation, max(e.written_at) AS last_at
      FROM log_generations n
      JOIN log_generations g ON g.shard = n.shard AND g.generation = n.generation - 1
      LEFT JOIN LATERAL (
        SELECT written_at FROM log_events e WHERE e.shard = g.shard AND e."offset" < g.ends_at ORDER BY e."offset" DESC LIMIT 1) e ON true
      WHERE n.reason <> 'reshard' AND n.started_at > now() - make_interval(days => ${keptDays})
      GROUP BY g.generation) losses`;
  if (row === undefined || row.losses === 0) return null;
  return Math.max(0, Number(row.since ?? 0) - clocksDifferMs);
}
