import { eq } from 'drizzle-orm';
import { isAppError, dayMs, utcDay, type Clock } from '@pulsewire/kernel';
import { run, type Database, type Tx } from '@pulsewire/database';
import { endIngestion } from '../connection-status/stop.ts';
import type { Connection } from '../model/connection.ts';
import { connectionTokens } from '../model/tables.ts';
import { lockUser } from '../users/find-user.ts';
import { queueDeregistrations } from '../connection-status/end-connection.ts';

export interface PauseContext {
  readonly database: Database;
  readonly clock: Clock;
  /** Called in the same transaction, to delete the plan of pulls. */
  readonly onPaused?: (tx: Tx, connection: Connection) => Promise<void>;
}

/** Late data of the last day is still fetched for this long. */
const catchUpMs = 7 * dayMs;
/** UTC-12, where a day ends last: the zones of users are not considered. */
const lastZoneMs = 12 * 3_600_000;

/** Every `ingestion_end` before this day (`YYYY-MM-DD`) has passed in every zone, including the time for late data. */
function endedBefore(clock: Clock): string {
  return utcDay(clock.now().getTime() - lastZoneMs - catchUpMs);
}

async function pauseUser(context: PauseContext, tx: Tx, teamId: string, userId: string): Promise<number> {
  const { ingestionEnd } = await lockUser(tx, teamId, userId);
  // The end may have been changed since the user was listed.
  if (ingestionEnd === null || ingestionEnd >= endedBefore(context.clock)) return 0;
  const paused = await endIngestion(tx, teamId, userId, context.clock.now());
  const connectionIds = paused.map(({ connectionId }) => connectionId);
  await queueDeregistrations(tx, context.clock, teamId, connectionIds);
  for (const connection of paused) {
    await run(tx.orm.delete(connectionTokens).where(eq(connectionTokens.connectionId, connection.connectionId)));
    await context.onPaused?.(tx, connection);
  }
  return paused.length;
}

/**
 * Deregisters and pauses the connections of users whose `ingestion_end` passed more than seven days ago, which leaves time for late data.
 * One transaction per user; at most `limit` users after `after`. Stored data is kept; only linking again revives a connection. Returns how
 * many connections it paused, where to continue (null: done), and the errors of users whose connections could not be paused, which do not
 * stop the others.
 */
export async function pausePastIngestionEnd(
  context: PauseContext,
  limit: number,
  after: string | null = null,
): Promise<{ readonly connections: number; readonly next: string | null; readonly errors: readonly unknown[] }> {
  const { database } = context;
  const users = await database.sql<{ team_id: string; user_id: string }[]>`
    SELECT team_id, user_id FROM users u
    WHERE ingestion_end < ${endedBefore(context.clock)}::date AND deleted_at IS NULL
      AND (${after}::uuid IS NULL OR user_id > ${after}::uuid)
      AND EXISTS (SELECT 1 FROM connections c WHERE c.user_id = u.user_id AND c.team_id = u.team_id AND c.status <> 'paused')
    ORDER BY user_id LIMIT ${limit}`;
  let pausedCount = 0;
  const errors: unknown[] = [];
  for (const { team_id: teamId, user_id: userId } of users) {
    try {
      pausedCount += await database.transaction((tx) => pauseUser(context, tx, teamId, userId));
    } catch (error) {
      // Deleted in the meantime: the connections were removed with the user.
      if (!isAppError(error) || (error.code !== 'user_deleted' && error.code !== 'user_not_found')) errors.push(error);
    }
  }
  return { connections: pausedCount, next: users.length === limit ? (users.at(-1)?.user_id ?? null) : null, errors };
}
