import { dropDailyPartitions, ensureDailyPartitions, run, type Database } from '@pulsewire/database';
import { addDays } from '@pulsewire/kernel';
import { eq, lt, min } from 'drizzle-orm';
import { pushDigests, pushExtents, pushInbox } from '../model/tables.ts';
import { growthDays } from '../push/apply/drop-superseded.ts';
import { rememberedDays } from '../push/receive/record-call.ts';

const daysAhead = 7;
const inboxTables = ['push_inbox', 'push_bodies'];

/**
 * Creates the push inbox's partitions from `today` on and drops those older than `keepDays`, but none from the first day on that has an
 * unprocessed push; deletes expired extents of pushed items and expired call digests. Returns the names of the dropped partitions.
 */
export async function maintainInbox(
  database: Database,
  { today, keepDays }: { readonly today: string; readonly keepDays: number },
): Promise<readonly string[]> {
  for (const table of inboxTables) await ensureDailyPartitions(database, table, { from: today, days: daysAhead });
  const { orm } = database;
  await run(orm.delete(pushExtents).where(lt(pushExtents.seenOn, addDays(today, -growthDays))));
  await run(orm.delete(pushDigests).where(lt(pushDigests.since, addDays(today, -rememberedDays))));
  const oldestKept = addDays(today, -keepDays);
  const [waiting] = await run(
    orm
      .select({ day: min(pushInbox.day) })
      .from(pushInbox)
      .where(eq(pushInbox.state, 'received')),
  );
  const before = waiting?.day && waiting.day < oldestKept ? waiting.day : oldestKept;
  const dropped: string[] = [];
  for (const table of inboxTables) dropped.push(...(await dropDailyPartitions(database, table, before)));
  return dropped;
}

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
