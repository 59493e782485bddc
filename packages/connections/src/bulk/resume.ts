import type { Clock } from '@pulsewire/kernel';
import type { Database, Tx } from '@pulsewire/database';
import { resumeByTeam } from '../connection-status/stop.ts';

const batchMax = 1000;

interface ResumeContext {
  readonly database: Database;
  readonly clock: Clock;
  /** Called in the same transaction, to restart the plans of pulls. */
  readonly onResumed: (tx: Tx, connectionIds: readonly string[]) => Promise<void>;
}

/**
 * Ends a pause: connections with tokens become active again; those that were paused because the user's ingestion ended have none and stay
 * paused. Returns how many it resumed.
 */
export async function resumeConnections({ database, clock, onResumed }: ResumeContext, teamId: string, provider: string): Promise<number> {
  let resumed = 0;
  for (;;) {
    const rows = await database.transaction(async (tx) => {
      const connectionIds = await resumeByTeam(tx, { teamId, provider }, batchMax, clock.now());
      await onResumed(tx, connectionIds);
      return connectionIds;
    });
    resumed += rows.length;
    if (rows.length < batchMax) return resumed;
  }
}
