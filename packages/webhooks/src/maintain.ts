import { addDays, dropDailyPartitions, ensureDailyPartitions, type Database } from '@pulsewire/database';

/** Days of partitions made ahead, so that a process that is down for a while does no harm. */
const daysAhead = 7;

/** Makes the partitions of attempts from `today` on. Safe to run from several processes. */
export function ensureAttemptPartitions(database: Database, today: string): Promise<void> {
  return ensureDailyPartitions(database, 'webhook_attempts', { from: today, days: daysAhead });
}

/**
 * Makes coming partitions of attempts, drops those older than `keepDays`, and removes waiting deliveries of endpoints that are
 * gone; gives the names of the dropped partitions.
 */
export async function maintainAttempts(
  database: Database,
  options: { readonly today: string; readonly keepDays: number },
): Promise<readonly string[]> {
  await ensureAttemptPartitions(database, options.today);
  // One that was being written while its endpoint was removed.
  await database.sql`DELETE FROM webhook_pending p WHERE NOT EXISTS (SELECT FROM webhook_endpoints e WHERE e.endpoint_id = p.endpoint_id)`;
  return dropDailyPartitions(database, 'webhook_attempts', addDays(options.today, -options.keepDays));
}
