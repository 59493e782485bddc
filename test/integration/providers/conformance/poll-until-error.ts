import type { Database } from '@pulsewire/database';
import type { ConformanceHarness } from './harness.ts';
import { statusOf } from './stored.ts';

/**
 * Polls at least twice, and at most until the connection is in error: a refresh whose response was lost on a busy machine is attempted
 * for a day before it ends the connection.
 */
export async function pollUntilError(
  database: Database,
  harness: ConformanceHarness,
  connectionId: string,
  settle: () => Promise<void>,
): Promise<void> {
  for (let polls = 0; polls < 10; polls++) {
    await harness.poll();
    await settle();
    if (polls > 0 && (await statusOf(database, connectionId))?.status === 'error') return;
  }
}
