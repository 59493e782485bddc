import { addDays, dropDailyPartitions, ensureDailyPartitions, type Database } from '@pulsewire/database';

/** Days of partitions made ahead, so that a process that is down for a while does no harm. */
const daysAhead = 7;

/** Makes the partitions of attempts from `today` on. Safe to run from several processes. */
export function ensureAttemptPartitions(database: Database, today: string): Promise<void> {
  return ensureDailyPartitions(database, 'webhook_attempts', { from: today, days: daysAhead });
}

/**
 * Makes coming partitions of attempts and drops those older than `keepDays`; removes waiting deliveries of endpoints that are
 * gone, and replays and test events that ended or were made before that time. Gives the names of the dropped partitions.
 */
export async function maintainAttempts(
  database: Database,
  options: { readonly today: string; readonly keepDays: number },
): Promise<readonly string[]> {
  const { sql } = database;
  const oldestKept = addDays(options.today, -options.keepDays);
  await ensureAttemptPartitions(database, options.today);
  // One that was being written while its endpoint was removed.
  await sql`DELETE FROM webhook_pending p WHERE NOT EXISTS (SELECT FROM webhook_endpoints e WHERE e.endpoint_id = p.endpoint_id)`;
  // Few rows, made by hand: not worth partitions.
  await sql`DELETE FROM webhook_replays WHERE ended_at < ${oldestKept}::timestamptz`;
  await sql`DELETE FROM webhook_test_events WHERE created_at < ${oldestKept}::timestamptz`;
  return dropDailyPartitions(database, 'webhook_attempts', oldestKept);
}
