import { eq, inArray } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import { historicalPulls, pullCursors, pullPlans, pullWindows, pushExtents, quarantine, rawResponses } from '../model/tables.ts';

/**
 * Erases all rows about a user's pulls, in the transaction that erases the user. A pull in progress finds its window deleted and writes
 * nothing more.
 */
export async function erasePulls({ orm }: Tx, userId: string): Promise<void> {
  const { connectionId } = pullPlans;
  const plans = await run(orm.delete(pullPlans).where(eq(pullPlans.userId, userId)).returning({ connectionId }));
  // Windows before cursors, as at the end of a window: two transactions must not wait for each other.
  await run(orm.delete(pullWindows).where(eq(pullWindows.userId, userId)));
  const connectionIds = plans.map((plan) => plan.connectionId);
  await run(orm.delete(pullCursors).where(inArray(pullCursors.connectionId, connectionIds)));
  for (const table of [historicalPulls, quarantine, pushExtents, rawResponses])
    await run(orm.delete(table).where(eq(table.userId, userId)));
}
