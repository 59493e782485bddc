import { utcDay } from '@pulsewire/kernel';
import type { PullConnection } from '@pulsewire/connections';

function dayIn(timeZone: string, now: Date): string | undefined {
  try {
    // Swedish writes days as YYYY-MM-DD.
    return new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now);
  } catch {
    return undefined;
  }
}

/** The user's day at this moment, `YYYY-MM-DD`: by the account's zone, else the user's fallback, else UTC. */
export function localDay(connection: Pick<PullConnection, 'account' | 'fallbackTimeZone'>, now: Date): string {
  const zone = connection.account['time_zone'];
  const known = typeof zone === 'string' ? dayIn(zone, now) : undefined;
  const fallback = connection.fallbackTimeZone === null ? undefined : dayIn(connection.fallbackTimeZone, now);
  return known ?? fallback ?? utcDay(now);
}
