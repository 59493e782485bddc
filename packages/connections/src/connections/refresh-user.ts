import { and, eq, lte } from 'drizzle-orm';
import { AppError, hourMs, type Clock } from '@pulsewire/kernel';
import { run, type Database, type Tx } from '@pulsewire/database';
import type { Connection } from '../model/connection.ts';
import { userRefreshes } from '../model/tables.ts';
import { lockUser } from '../users/find-user.ts';
import { listConnections } from './find-connections.ts';

/** Refreshes of one user within any hour. */
const refreshesMax = 8;

async function countRefresh({ orm }: Tx, clock: Clock, userId: string): Promise<void> {
  const now = clock.now();
  const { refreshedAt } = userRefreshes;
  const isUsers = eq(userRefreshes.userId, userId);
  await run(orm.delete(userRefreshes).where(and(isUsers, lte(refreshedAt, new Date(now.getTime() - hourMs)))));
  const rows = await run(orm.select({ refreshedAt }).from(userRefreshes).where(isUsers).orderBy(refreshedAt).limit(refreshesMax));
  const [oldest] = rows;
  if (oldest && rows.length >= refreshesMax) {
    const retryAfterMs = oldest.refreshedAt.getTime() + hourMs - now.getTime();
    throw new AppError({
      code: 'refresh_limited',
      kind: 'rate_limited',
      message: 'This user was refreshed eight times in the last hour',
      retryable: true,
      retryAfterMs: Math.max(1000, retryAfterMs),
    });
  }
  await run(orm.insert(userRefreshes).values({ userId, refreshedAt: now }));
}

function whyImpossible(all: number, failed: number): string {
  if (all === 0) return 'This user has no connections';
  if (failed === all) return 'Every connection of this user must be linked again';
  return failed === 0 ? 'Every connection of this user is paused' : 'Every connection of this user is paused or must be linked again';
}

/** The connections of a refresh: those that are pulled, and those that must be linked again first. */
export interface StartedRefresh<Planned> {
  readonly planned: readonly { readonly connection: Connection; readonly work: Planned }[];
  readonly failed: readonly Connection[];
}

/**
 * Plans a pull of all working connections of a user in one transaction: `plan` is called for each. Throws AppError `refresh_impossible`
 * when there is none (`details.failed` lists those that must be linked again), `refresh_limited` after eight within an hour, and the errors
 * of a missing user.
 */
export async function refreshUser<Planned>(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  { teamId, userId }: { readonly teamId: string; readonly userId: string },
  plan: (tx: Tx, connection: Connection) => Promise<Planned>,
): Promise<StartedRefresh<Planned>> {
  return database.transaction(async (tx) => {
    await lockUser(tx, teamId, userId);
    const connections = await listConnections(tx, teamId, [userId]);
    const working = connections.filter(({ status }) => status === 'connected');
    const failed = connections.filter(({ status }) => status === 'error');
    if (working.length === 0) {
      const message = whyImpossible(connections.length, failed.length);
      throw new AppError({ code: 'refresh_impossible', kind: 'invalid', message, details: { failed } });
    }
    await countRefresh(tx, clock, userId);
    const planned: { connection: Connection; work: Planned }[] = [];
    for (const connection of working) planned.push({ connection, work: await plan(tx, connection) });
    return { planned, failed };
  });
}
