import { addDays, dropDailyPartitions, ensureDailyPartitions, type Database } from '@pulsewire/database';

const daysAhead = 7;

/**
 * Makes the receipts' partitions from `today` on and drops those older than `keepDays`. A response that waited longer than that before it
 * is written may win over a value received again meanwhile; jobs live for hours, and the raw vault for less than this.
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
