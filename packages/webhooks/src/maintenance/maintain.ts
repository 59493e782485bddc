import { addDays, dropDailyPartitions, ensureDailyPartitions, type Database } from '@pulsewire/database';

/** A recorder that wrote nothing for so long has no batch to retry any more. */
const recorderKeepDays = 7;
/** Days of partitions made ahead, so that a process that is down for a while does no harm. */
const daysAhead = 7;

/** Makes the partitions of attempts from `today` on. Safe to run from several processes. */
export function ensureAttemptPartitions(database: Database, today: string): Promise<void> {
  return ensureDailyPartitions(database, 'webhook_attempts', { from: today, days: daysAhead });
}

/**
 * Makes coming partitions of attempts and drops those older than `keepDays`; removes waiting deliveries of endpoints that are
 * gone, and replays, test events and quarantined deliveries that ended or were made before that time; a replay stays while one of its
 * deliveries waits. Gives the names of the dropped partitions.
 */
export async function maintainAttempts(
  database: Database,
  options: { readonly today: string; readonly keepDays: number },
): Promise<readonly string[]> {
  const { sql } = database;
  const oldestKept = addDays(options.today, -options.keepDays);
  await ensureAttemptPartitions(database, options.today);
  // One that was being written while its endpoint was removed.
  await sql`
    WITH gone AS MATERIALIZED (
      SELECT p.endpoint_id, p.event_id FROM webhook_pending p
      WHERE NOT EXISTS (SELECT FROM webhook_endpoints e WHERE e.endpoint_id = p.endpoint_id) FOR UPDATE SKIP LOCKED
    )
    DELETE FROM webhook_pending p USING gone g WHERE p.endpoint_id = g.endpoint_id AND p.event_id = g.event_id`;
  // Few rows, made by hand: not worth partitions.
  await sql`
    DELETE FROM webhook_replays r WHERE ended_at < ${oldestKept}::timestamptz
      AND NOT EXISTS (SELECT FROM webhook_pending p WHERE p.replay_id = r.replay_id)`;
  await sql`DELETE FROM webhook_test_events WHERE created_at < ${oldestKept}::timestamptz`;
  await sql`DELETE FROM webhook_quarantine WHERE quarantined_at < ${oldestKept}::timestamptz`;
  await sql`DELETE FROM webhook_recorders WHERE recorded_at < now() - make_interval(days => ${recorderKeepDays})`;
  return dropDailyPartitions(database, 'webhook_attempts', oldestKept);
}
