import { utcDay } from '@pulsewire/kernel';
import { connectionForPull } from '@pulsewire/connections';
import type { Tx } from '@pulsewire/database';
import { createZoneFinder } from '@pulsewire/providers';
import { readDataExtents } from '@pulsewire/store';
import { lastDayRead } from '../model/last-day-read.ts';

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
