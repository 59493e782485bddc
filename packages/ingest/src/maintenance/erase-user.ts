import { eq } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import { historicalPulls, pushExtents, quarantine, rawResponses } from '../model/tables.ts';
import { eraseSchedules } from '../connection-schedule/stop-schedule.ts';
import { eraseWindows } from '../window/count-window.ts';
import { removeCursors } from '../window/cursors.ts';

/**
 * Erases all rows about a user's pulls, in the transaction that erases the user. A pull in progress finds its window deleted and writes
 * nothing more.
 */
export async function erasePulls(tx: Tx, userId: string): Promise<void> {
  const connectionIds = await eraseSchedules(tx, userId);
  // Windows before cursors, as at the end of a window: two transactions must not wait for each other.
  await eraseWindows(tx, userId);
  const { orm } = tx;
  await removeCursors(tx, connectionIds);
  for (const table of [historicalPulls, quarantine, pushExtents, rawResponses])
    await run(orm.delete(table).where(eq(table.userId, userId)));
}
