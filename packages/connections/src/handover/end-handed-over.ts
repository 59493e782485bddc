import { isAppError } from '@pulsewire/kernel';
import { and, eq, gt, inArray, lt } from 'drizzle-orm';
import { run, type Database, type Tx } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import type { Connector } from '@pulsewire/providers';
import { toConnection, type ConnectionRow } from '../model/connection.ts';
import { toDate } from '../model/rows.ts';
import { connectionHandovers, connections } from '../model/tables.ts';
import { lockUser } from '../users/find-user.ts';
import { endConnection, type EndOptions } from '../connection-status/end-connection.ts';

export interface EndHandedOverContext extends EndOptions {
  readonly database: Database;
  readonly connectors: readonly Pick<Connector, 'succeeds'>[];
  /** Whether a connection has delivered its first complete pull. */
  readonly hasReadLive: (tx: Tx, connectionId: string) => Promise<boolean>;
  /** Whether days before this one are still to be read from a connection. */
  readonly isBehind: (tx: Tx, connectionId: string, day: string) => Promise<boolean>;
}

/** Late data of the last day is still fetched for this long: trackers are often synchronised days later. */
const catchUpMs = 3 * 86_400_000;
/** Days that a small quota has kept waiting are given up after this long. */
const behindMs = 14 * 86_400_000;

interface Ending {
  readonly connectionId: string;
  readonly teamId: string;
  readonly userId: string;
}

/** Handed over long enough ago, in the order of their ids. */
function findDue({ database, clock, connectors }: EndHandedOverContext, limit: number, after: string | null): Promise<readonly Ending[]> {
  const { connectionId, teamId, userId, provider, providerUserId } = connections;
  const { at, fromProvider, fromAccount } = connectionHandovers;
  const isFrom = and(
    eq(userId, connectionHandovers.userId),
    eq(teamId, connectionHandovers.teamId),
    eq(provider, fromProvider),
    eq(providerUserId, fromAccount),
  );
  // A successor in error is not ended, although the ending provider is read again meanwhile: it needs its user.
  const isEnding = inArray(
    provider,
    connectors.flatMap(({ succeeds }) => (succeeds ? [succeeds.provider] : [])),
  );
  const isOver = lt(at, new Date(clock.now().getTime() - catchUpMs));
  return run(
    database.orm
      .select({ connectionId, teamId, userId })
      .from(connectionHandovers)
      .innerJoin(connections, isFrom)
      .where(and(isOver, isEnding, after === null ? undefined : gt(connectionId, after)))
      .orderBy(connectionId)
      .limit(limit),
  );
}

async function endOne(context: EndHandedOverContext, { connectionId, teamId, userId }: Ending): Promise<boolean> {
  return withEvents(context.database, async (tx, emit) => {
    const { clientUserId } = await lockUser(tx, teamId, userId);
    const [row] = await tx.sql<(ConnectionRow & { successor_id: string; on_day: string; handed_at: string })[]>`
      SELECT c.*, n.connection_id AS successor_id, h.on_day::text AS on_day, h.at AS handed_at
      FROM connections c
      JOIN connection_handovers h ON h.user_id = c.user_id AND h.team_id = c.team_id
        AND h.from_provider = c.provider AND h.from_account = c.provider_user_id
      JOIN connections n ON n.user_id = c.user_id AND n.team_id = c.team_id
        AND n.provider = h.to_provider AND n.provider_user_id = h.to_account AND n.status = 'connected'
      WHERE c.connection_id = ${connectionId} AND c.team_id = ${teamId} AND NOT EXISTS (
        SELECT 1 FROM connection_handovers back WHERE back.user_id = h.user_id AND back.team_id = h.team_id AND back.on_day > h.on_day
          AND back.from_provider = h.to_provider AND back.from_account = h.to_account
          AND back.to_provider = h.from_provider AND back.to_account = h.from_account)
      FOR UPDATE OF c`;
    if (!row || !(await context.hasReadLive(tx, row.successor_id))) return false;
    const isWaitedFor = toDate(row.handed_at).getTime() > context.clock.now().getTime() - behindMs;
    if (isWaitedFor && row.status === 'connected' && (await context.isBehind(tx, connectionId, row.on_day))) return false;
    await endConnection(tx, emit, context, toConnection(row), { clientUserId, reason: 'replaced' });
    return true;
  });
}

/**
 * Deregisters connections that were handed over to another provider more than three days ago, if that one is connected and has delivered
 * its first complete pull, and was not handed back since. Stored data is kept. One transaction per connection; at most `limit` after
 * `after`. Returns how many it ended, where to continue (null: done), and the errors of connections that could not be ended, which do not
 * stop the others.
 */
export async function endHandedOver(
  context: EndHandedOverContext,
  limit: number,
  after: string | null = null,
): Promise<{ readonly connections: number; readonly next: string | null; readonly errors: readonly unknown[] }> {
  const due = await findDue(context, limit, after);
  let ended = 0;
  const errors: unknown[] = [];
  for (const ending of due) {
    try {
      if (await endOne(context, ending)) ended += 1;
    } catch (error) {
      // Deleted in the meantime: the connection was removed with the user.
      if (!isAppError(error) || (error.code !== 'user_deleted' && error.code !== 'user_not_found')) errors.push(error);
    }
  }
  return { connections: ended, next: due.length === limit ? (due.at(-1)?.connectionId ?? null) : null, errors };
}
