import { addDays, dropDailyPartitions, ensureDailyPartitions, type Database } from '@pulsewire/database';

/** Days of partitions made ahead, so that a scheduler that is down for a while does no harm. */
const daysAhead = 7;

/** Makes the partitions from `today` on and drops those older than `keepDays`; gives the names of the dropped ones. */
export async function maintainAudit(
  database: Database,
  options: { readonly today: string; readonly keepDays: number },
): Promise<readonly string[]> {
  await ensureDailyPartitions(database, 'audit_entries', { from: options.today, days: daysAhead });
  return dropDailyPartitions(database, 'audit_entries', addDays(options.today, -options.keepDays));
}
