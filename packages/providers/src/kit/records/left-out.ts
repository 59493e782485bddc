import type { LeftOutBefore, PullWindow } from '../types/connector.ts';

/** Counts items that a mapper leaves out on purpose: none may vanish between a response and the store unseen. */
export function leaveOut(window: PullWindow | null, reason: LeftOutBefore, count = 1): void {
  const leftOut = window?.leftOut;
  if (count > 0) leftOut?.set(reason, (leftOut.get(reason) ?? 0) + count);
}

/** Whether a day is one of the window's; true without a window. An item of another day is left to another window, and counted. */
export function isWithin(day: string, window: PullWindow | null): boolean {
  const isOurs = window === null || (day >= window.startDate && day <= window.endDate);
  if (!isOurs) leaveOut(window, 'outside_window');
  return isOurs;
}
