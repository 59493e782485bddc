import { addDays } from '@pulsewire/kernel';
import { dropDailyPartitions, ensureDailyPartitions, type Database } from '@pulsewire/database';

const daysAhead = 7;

/**
 * Creates the receipts' partitions from `today` on and drops those older than `keepDays`. A response that waits longer than that before it
 * is written may overwrite a value that was received again in the meantime. Jobs live for hours, and the raw vault is kept for less time
 * than this.
 */
export async function maintainReceipts(
  database: Database,
  options: { readonly today: string; readonly keepDays: number },
): Promise<readonly string[]> {
  const dropped: string[] = [];
  for (const table of ['sample_receipts', 'summary_receipts']) {
    await ensureDailyPartitions(database, table, { from: options.today, days: daysAhead });
    dropped.push(...(await dropDailyPartitions(database, table, addDays(options.today, -options.keepDays))));
  }
  return dropped;
}
