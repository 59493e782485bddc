import { dayMs } from '@pulsewire/kernel';
import { countDays, msToDay, utcMidnight } from '../../kit/time/days.ts';
import type { PullContext, PullWindow } from '../../kit/types/connector.ts';
import { createZoneFinder } from '../../kit/time/zone-history.ts';

/** Withings keeps everything; this much is read by default. */
export const historyDays = 90;
export const rereadDays = 3;

/** The largest UTC offset: the local days of a window lie within the window extended by it on both sides. */
const marginMs = 14 * 3_600_000;
/** A longer window is history. */
const changedDaysMax = 31;

const seconds = (ms: number): string => String(Math.floor(ms / 1000));

/** Instants that contain the local days of a window in any time zone; the mappers skip the rest. */
export function instantsOf({ startDate, endDate }: PullWindow): { readonly startdate: string; readonly enddate: string } {
  return { startdate: seconds(utcMidnight(startDate) - marginMs), enddate: seconds(utcMidnight(endDate) + dayMs + marginMs) };
}

/** The window as days, for services that take them. */
export function daysOf({ startDate, endDate }: PullWindow): { readonly startdateymd: string; readonly enddateymd: string } {
  return { startdateymd: startDate, enddateymd: endDate };
}

/** What is requested for a window, and which days of the response are mapped. */
export interface Asked {
  readonly form: Readonly<Record<string, string>>;
  readonly window: PullWindow;
  /** Whether the request covers all of these days, not only recent changes. */
  readonly isByDays: boolean;
}

const everyDay = { startDate: '0001-01-01', endDate: '9999-12-31' };

/** History ends with yesterday, so a window that contains today is live. */
function isLive({ window, user, now }: Pick<PullContext, 'window' | 'user' | 'now'>): boolean {
  if (now === undefined || countDays(window) > changedDaysMax) return false;
  const zone = createZoneFinder(user.account, user.fallbackTimeZone)(msToDay(now.getTime()));
  return window.endDate >= zone.dayOf(now.getTime());
}

/**
 * A window that reaches the present requests what was changed since its first day, whenever it was measured: its own days, edits,
 * and late syncs. Any other window requests its days.
 */
export function requestOf(call: Pick<PullContext, 'window' | 'user' | 'now'>, byDays: (window: PullWindow) => Asked['form']): Asked {
  if (!isLive(call)) return { form: byDays(call.window), window: call.window, isByDays: true };
  return {
    form: { lastupdate: seconds(utcMidnight(call.window.startDate) - marginMs) },
    window: { ...call.window, ...everyDay },
    isByDays: false,
  };
}

/** The range between two instants in pieces of at most a day, as form fields: Withings cuts longer ones silently. */
export function dailyPieces(fromMs: number, toMs: number): { readonly startdate: string; readonly enddate: string }[] {
  const count = Math.max(1, Math.ceil((toMs - fromMs) / dayMs));
  return Array.from({ length: count }, (_, index) => ({
    startdate: seconds(fromMs + index * dayMs),
    enddate: seconds(Math.min(toMs, fromMs + (index + 1) * dayMs)),
  }));
}
