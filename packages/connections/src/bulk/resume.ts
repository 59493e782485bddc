import type { Clock } from '@pulsewire/kernel';
import type { Database, Tx } from '@pulsewire/database';

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
      const found = await tx.sql<{ connection_id: string }[]>`
        WITH chosen AS (
          SELECT connection_id FROM connections c
          WHERE team_id = ${teamId} AND provider = ${provider} AND status = 'paused'
            AND EXISTS (SELECT 1 FROM connection_tokens t WHERE t.connection_id = c.connection_id)
          ORDER BY user_id LIMIT ${batchMax} FOR UPDATE)
        UPDATE connections c SET status = 'connected', updated_at = ${clock.now().toISOString()}
        FROM chosen WHERE c.connection_id = chosen.connection_id RETURNING c.connection_id`;
      const connectionIds = found.map((row) => row.connection_id);
      await onResumed(tx, connectionIds);
      return connectionIds;
    });
    resumed += rows.length;
    if (rows.length < batchMax) return resumed;
  }
}
