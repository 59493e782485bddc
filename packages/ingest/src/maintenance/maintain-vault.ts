import { addDays, dropDailyPartitions, ensureDailyPartitions, type Database } from '@pulsewire/database';

const daysAhead = 7;

/**
 * Makes the raw vault's partitions from `today` on and drops those older than `keepDays`; gives the names of the dropped ones.
 * Keep it no longer than the receipts: they tell what is older, and what was taken back, when answers are normalised again.
 */
export async function maintainVault(
  database: Database,
  { today, keepDays }: { readonly today: string; readonly keepDays: number },
): Promise<readonly string[]> {
  await ensureDailyPartitions(database, 'raw_answers', { from: today, days: daysAhead });
  return dropDailyPartitions(database, 'raw_answers', addDays(today, -keepDays));
}
