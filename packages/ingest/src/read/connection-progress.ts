import { connectionForPull } from '@pulsewire/connections';
import { type Executor, run, type Tx } from '@pulsewire/database';
import { utcDay } from '@pulsewire/kernel';
import { createZoneFinder } from '@pulsewire/providers';
import { readDataExtents } from '@pulsewire/store';
import { and, eq, inArray, lt } from 'drizzle-orm';
import { lastDayRead } from '../model/last-day-read.ts';
import { pullWindows } from '../model/tables.ts';

/**
 * Whether a connection has delivered its first complete pull: each pull that was planned for live reading has ended at least one window,
 * and at least one of them was read.
 */
export async function hasReadLive({ sql }: Executor, connectionId: string): Promise<boolean> {
  const [row] = await sql<{ is_read: boolean | null }[]>`
    SELECT bool_or(is_done) AND bool_and(is_ended) AS is_read FROM (
      SELECT bool_or(state = 'done') AS is_done, bool_or(state IN ('done', 'given_up')) AS is_ended
      FROM pull_windows WHERE connection_id = ${connectionId} AND lane = 'live' GROUP BY pull
    ) pulls`;
  return row?.is_read === true;
}

/** Whether windows of the connection are open that contain days before `day` (`YYYY-MM-DD`): a small quota may keep them waiting for days. */
export async function isBehind({ orm }: Executor, connectionId: string, day: string): Promise<boolean> {
  const { windowId, state, startDate } = pullWindows;
  const isOpen = and(eq(pullWindows.connectionId, connectionId), inArray(state, ['planned', 'running', 'failed']), lt(startDate, day));
  const open = await run(orm.select({ windowId }).from(pullWindows).where(isOpen).limit(1));
  return open.length > 0;
}

/**
 * The last local day (`YYYY-MM-DD`) of which anything is stored from the connection's provider, as far as the connection was read; null:
 * nothing. A day that was read before it had data counts only here as not read.
 */
export async function lastDayStored(tx: Tx, connectionId: string): Promise<string | null> {
  const [connection, read] = [await connectionForPull(tx, connectionId), await lastDayRead(tx, connectionId)];
  if (!connection || read === null) return null;
  const { teamId, userId, provider, account, fallbackTimeZone } = connection;
  const zoneOn = createZoneFinder(account, fallbackTimeZone);
  const extents = await readDataExtents(tx, { teamId, userIds: [userId], provider });
  const last = extents
    .map(({ newest, days }) => {
      const day = utcDay(newest);
      // The date of a summary is given as midnight of UTC.
      return days === null ? zoneOn(day).dayOf(newest.getTime()) : day;
    })
    .reduce((a, b) => (a > b ? a : b), '');
  if (last === '') return null;
  return last < read ? last : read;
}
