import { AppError, type Clock } from '@pulsewire/kernel';
import type { Database, Tx } from '@pulsewire/database';
import type { Connection } from '../model/connection.ts';
import { lockUser } from '../users/find-user.ts';
import { listConnections } from './find-connections.ts';

const hourMs = 3_600_000;
/** Refreshes of one user in any hour. */
const refreshesMax = 8;

async function countRefresh({ sql }: Tx, clock: Clock, userId: string): Promise<void> {
  const now = clock.now();
  const since = new Date(now.getTime() - hourMs).toISOString();
  await sql`DELETE FROM user_refreshes WHERE user_id = ${userId} AND refreshed_at <= ${since}`;
  const rows = await sql<
    { refreshed_at: string }[]
  >`SELECT refreshed_at FROM user_refreshes WHERE user_id = ${userId} ORDER BY refreshed_at LIMIT ${refreshesMax}`;
  if (rows.length >= refreshesMax) {
    const retryAfterMs = Date.parse(rows[0]?.refreshed_at ?? '') + hourMs - now.getTime();
    throw new AppError({
      code: 'refresh_limited',
      kind: 'rate_limited',
      message: 'This user was refreshed eight times in the last hour',
      retryable: true,
      retryAfterMs: Math.max(1000, retryAfterMs),
    });
  }
  await sql`INSERT INTO user_refreshes (user_id, refreshed_at) VALUES (${userId}, ${now.toISOString()})`;
}

function whyImpossible(all: number, failed: number): string {
  if (all === 0) return 'This user has no connections';
  if (failed === all) return 'Every connection of this user must be linked again';
  return failed === 0 ? 'Every connection of this user is paused' : 'Every connection of this user is paused or must be linked again';
}

/** The connections of a refresh: those that are pulled now, and those that must be linked again first. */
export interface StartedRefresh<Planned> {
  readonly planned: readonly { readonly connection: Connection; readonly work: Planned }[];
  readonly failed: readonly Connection[];
}

/**
 * Plans a pull of everything that a user is connected to, in one transaction: `plan` is asked for each connection that
 * works. Throws AppError `refresh_impossible` when there is none (`details.failed` has the providers that must be linked again),
 * `refresh_limited` above eight in an hour, and what a missing user throws.
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
