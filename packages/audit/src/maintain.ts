import { addDays } from '@pulsewire/kernel';
import { dropDailyPartitions, ensureDailyPartitions, type Database } from '@pulsewire/database';

/** Days of partitions created ahead, so that an outage of the scheduler does no harm. */
const daysAhead = 7;

/** Creates the partitions from `today` on and drops those older than `keepDays`; returns the names of the dropped ones. */
export async function maintainAudit(
  database: Database,
  options: { readonly today: string; readonly keepDays: number },
): Promise<readonly string[]> {
  await ensureDailyPartitions(database, 'audit_entries', { from: options.today, days: daysAhead });
  return dropDailyPartitions(database, 'audit_entries', addDays(options.today, -options.keepDays));
}
