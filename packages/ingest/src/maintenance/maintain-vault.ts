import { addDays } from '@pulsewire/kernel';
import { dropDailyPartitions, ensureDailyPartitions, type Database } from '@pulsewire/database';

const daysAhead = 7;

/**
 * Creates the raw vault's partitions from `today` on and drops those older than `keepDays`; returns the names of the dropped ones. Retain
 * it no longer than the receipts, which decide what is older and what was removed when responses are renormalised.
 */
export async function maintainVault(
  database: Database,
  { today, keepDays }: { readonly today: string; readonly keepDays: number },
): Promise<readonly string[]> {
  await ensureDailyPartitions(database, 'raw_answers', { from: today, days: daysAhead });
  return dropDailyPartitions(database, 'raw_answers', addDays(today, -keepDays));
}
