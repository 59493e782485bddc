import { addDays, dropDailyPartitions, ensureDailyPartitions, type Database } from '@pulsewire/database';

const daysAhead = 7;

/** Makes the push inbox's partitions from `today` on and drops those older than `keepDays`; gives the names of the dropped ones. */
export async function maintainInbox(
  database: Database,
  { today, keepDays }: { readonly today: string; readonly keepDays: number },
): Promise<readonly string[]> {
  await ensureDailyPartitions(database, 'push_inbox', { from: today, days: daysAhead });
  return dropDailyPartitions(database, 'push_inbox', addDays(today, -keepDays));
}
