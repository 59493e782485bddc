import { and, eq, gt, inArray } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { isAppError } from '@pulsewire/kernel';
import { run, type Database } from '@pulsewire/database';
import type { Connector } from '@pulsewire/providers';
import { fromStored } from '../model/connection.ts';
import { connectionHandovers, connections } from '../model/tables.ts';
import { lockUser } from '../users/find-user.ts';
import { handBackTo, type HandBackOptions } from './hand-back.ts';

export interface HandBackContext extends HandBackOptions {
  readonly database: Database;
  readonly connectors: readonly Pick<Connector, 'succeeds'>[];
}

const ending = alias(connections, 'ending');
const back = alias(connectionHandovers, 'back');

const isTaken = and(
  eq(connections.userId, connectionHandovers.userId),
  eq(connections.teamId, connectionHandovers.teamId),
  eq(connections.provider, connectionHandovers.toProvider),
  eq(connections.providerUserId, connectionHandovers.toAccount),
);
const isGiven = and(
  eq(ending.userId, connectionHandovers.userId),
  eq(ending.teamId, connectionHandovers.teamId),
  eq(ending.provider, connectionHandovers.fromProvider),
  eq(ending.providerUserId, connectionHandovers.fromAccount),
);
/** Handed back since, so that there is nothing to do. */
const isBack = and(
  eq(back.userId, connectionHandovers.userId),
  eq(back.teamId, connectionHandovers.teamId),
  eq(back.fromProvider, connectionHandovers.toProvider),
  eq(back.fromAccount, connectionHandovers.toAccount),
  gt(back.onDay, connectionHandovers.onDay),
);

/** Successors in error whose ending connection can still be read, in the order of their ids. */
function findFailed({ orm }: Pick<Database, 'orm'>, context: HandBackContext, at: { limit: number; after: string | null; only?: string }) {
  const providers = context.connectors.flatMap(({ succeeds }) => (succeeds ? [succeeds.provider] : []));
  const { connectionId, status } = connections;
  return run(
    orm
      .select({ successor: connections, fromProvider: ending.provider, fromAccount: connectionHandovers.fromAccount, backOn: back.onDay })
      .from(connectionHandovers)
      .innerJoin(connections, isTaken)
      .innerJoin(ending, isGiven)
      .leftJoin(back, isBack)
      .where(
        and(
          eq(status, 'error'),
          eq(ending.status, 'connected'),
          inArray(ending.provider, providers),
          at.after === null ? undefined : gt(connectionId, at.after),
          at.only === undefined ? undefined : eq(connectionId, at.only),
        ),
      )
      .orderBy(connectionId)
      .limit(at.limit),
  );
}

/**
 * Hands the days of successors in error back to the ending connections, as long as those are still linked: they are read again from the day
 * after the last of the successor, until its user links it again. One transaction per connection; at most `limit` after `after`. Returns how
 * many it handed back, where to continue (null: done), and the errors of connections that failed, which do not stop the others.
 */
export async function handBackFailed(
  context: HandBackContext,
  limit: number,
  after: string | null = null,
): Promise<{ readonly connections: number; readonly next: string | null; readonly errors: readonly unknown[] }> {
  const due = await findFailed(context.database, context, { limit, after });
  let handed = 0;
  const errors: unknown[] = [];
  for (const { successor, backOn } of due) {
    if (backOn !== null) continue;
    const { connectionId, teamId, userId } = successor;
    try {
      await context.database.transaction(async (tx) => {
        await lockUser(tx, teamId, userId);
        // Linked again or removed in the meantime, there is nothing to hand back.
        const [row] = await findFailed(tx, context, { limit: 1, after: null, only: connectionId });
        if (!row || row.backOn !== null) return;
        await handBackTo(tx, context, fromStored(row.successor), { provider: row.fromProvider, account: row.fromAccount });
        handed += 1;
      });
    } catch (error) {
      if (!isAppError(error) || (error.code !== 'user_deleted' && error.code !== 'user_not_found')) errors.push(error);
    }
  }
  return { connections: handed, next: due.length === limit ? (due.at(-1)?.successor.connectionId ?? null) : null, errors };
}
