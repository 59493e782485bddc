import { isAppError } from '@pulsewire/kernel';
import type { Database, Tx } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import { toConnection, type ConnectionRow } from '../model/connection.ts';
import { lockUser } from '../users/find-user.ts';
import { endConnection, type DeregistrationOptions } from './remove-connection.ts';

export interface SuccessionContext extends DeregistrationOptions {
  readonly database: Database;
  /** Whether a connection has delivered its first complete pull. */
  readonly hasReadLive: (tx: Tx, connectionId: string) => Promise<boolean>;
}

/** Late data of the last day is still fetched for this long: trackers are often synchronised days later. */
const catchUpMs = 3 * 86_400_000;

interface Ending {
  readonly connection_id: string;
  readonly team_id: string;
  readonly user_id: string;
}

async function endOne(context: SuccessionContext, { connection_id, team_id, user_id }: Ending): Promise<boolean> {
  return withEvents(context.database, async (tx, emit) => {
    const { clientUserId } = await lockUser(tx, team_id, user_id);
    const [row] = await tx.sql<(ConnectionRow & { successor_id: string })[]>`
      SELECT c.*, n.connection_id AS successor_id
      FROM connections c
      JOIN connection_handovers h ON h.user_id = c.user_id AND h.team_id = c.team_id
        AND h.from_provider = c.provider AND h.from_account = c.provider_user_id
      JOIN connections n ON n.user_id = c.user_id AND n.team_id = c.team_id
        AND n.provider = h.to_provider AND n.provider_user_id = h.to_account AND n.status = 'connected'
      WHERE c.connection_id = ${connection_id} AND c.team_id = ${team_id} FOR UPDATE OF c`;
    if (!row || !(await context.hasReadLive(tx, row.successor_id))) return false;
    await endConnection(tx, emit, context, toConnection(row), { clientUserId, reason: 'replaced' });
    return true;
  });
}

/**
 * Deregisters connections that were handed over to another provider more than three days ago, if that one is connected and has delivered
 * its first complete pull. Stored data is kept. One transaction per connection; at most `limit` after `after`. Returns how many it ended,
 * where to continue (null: done), and the errors of connections that could not be ended, which do not stop the others.
 */
export async function endSucceeded(
  context: SuccessionContext,
  limit: number,
  after: string | null = null,
): Promise<{ readonly connections: number; readonly next: string | null; readonly errors: readonly unknown[] }> {
  const before = new Date(context.clock.now().getTime() - catchUpMs).toISOString();
  const due = await context.database.sql<Ending[]>`
    SELECT c.connection_id, c.team_id, c.user_id
    FROM connection_handovers h JOIN connections c ON c.user_id = h.user_id AND c.team_id = h.team_id
      AND c.provider = h.from_provider AND c.provider_user_id = h.from_account
    WHERE h.at < ${before} AND (${after}::uuid IS NULL OR c.connection_id > ${after}::uuid)
    ORDER BY c.connection_id LIMIT ${limit}`;
  let connections = 0;
  const errors: unknown[] = [];
  for (const ending of due) {
    try {
      if (await endOne(context, ending)) connections += 1;
    } catch (error) {
      // Deleted in the meantime: the connection was removed with the user.
      if (!isAppError(error) || (error.code !== 'user_deleted' && error.code !== 'user_not_found')) errors.push(error);
    }
  }
  return { connections, next: due.length === limit ? (due.at(-1)?.connection_id ?? null) : null, errors };
}
