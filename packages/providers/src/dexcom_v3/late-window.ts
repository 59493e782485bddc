import { addDays, dayToMs, msToDay } from '../kit/time/days.ts';
import type { PullContext, PullWindow } from '../kit/types/connector.ts';
import { createZoneFinder } from '../kit/time/zone-history.ts';
import { historyDays } from './dexcom.ts';

/**
 * Extends a window that contains today back to the first unread day (`account.ts`); returns any other window, which is history, unchanged.
 */
export function lateWindow({ window, user, now }: Pick<PullContext, 'window' | 'user' | 'now'>): PullWindow {
  const { unread_since: since } = user.account;
  if (now === undefined || typeof since !== 'string' || dayToMs(since) === undefined) return window;
  const zone = createZoneFinder(user.account, user.fallbackTimeZone)(msToDay(now.getTime()));
  if (window.endDate < zone.dayOf(now.getTime())) return window;
  const oldest = addDays(window.endDate, -historyDays);
  const from = since < oldest ? oldest : since;
  return from < window.startDate ? { ...window, startDate: from } : window;
}
