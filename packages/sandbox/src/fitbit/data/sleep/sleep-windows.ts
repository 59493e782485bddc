import { addDays } from '../../../model/calendar.ts';
import type { Account } from '../../accounts/types.ts';

/** A stretch in bed: local second of `date`, negative on the evening before. */
export interface SleepWindow {
  readonly startSecond: number;
  readonly minutesInBed: number;
  readonly minutesAsleep: number;
  readonly isMain: boolean;
}

const napShare = 0.12;
const napMinutesMax = 75;
const napMinutesMin = 20;
const usualMiddleMinute = 3 * 60 + 30;

/**
 * The recorded day contains the duration and the number of stretches, but not their times, so each is placed at the stillest
 * stretch of its length: the main one between 18:00 and 14:00, naps in the afternoon.
 */
export function sleepWindows(account: Account, date: string): SleepWindow[] {
  const sleep = account.recordedDay(date)?.sleep;
  if (!sleep) return [];
  const steps = stepsAround(account, date);
  const napInBed = Math.min(napMinutesMax, Math.floor(sleep.minutesInBed * napShare));
  const naps = napInBed < napMinutesMin ? 0 : Math.max(0, sleep.records - 1);
  const asleepShare = sleep.minutesAsleep / sleep.minutesInBed;
  const napAsleep = Math.floor(napInBed * asleepShare);
  const mainInBed = sleep.minutesInBed - naps * napInBed;
  // Each edit moves the start of the night ten minutes later and shortens the sleep accordingly.
  const cut = 10 * account.logs.sleepEdits(date);
  const windows: SleepWindow[] = [
    {
      startSecond: (stillest(steps, -360, 840, mainInBed) + cut) * 60 + 30,
      minutesInBed: mainInBed - cut,
      minutesAsleep: sleep.minutesAsleep - naps * napAsleep - cut,
      isMain: true,
    },
  ];
  for (let nap = 0; nap < naps; nap++) {
    // Each nap has its own hours, after the latest end of the main sleep, so that none overlap.
    const startMinute = stillest(steps, 841 + nap * 180, 841 + (nap + 1) * 180, napInBed);
    windows.push({ startSecond: startMinute * 60, minutesInBed: napInBed, minutesAsleep: napAsleep, isMain: false });
  }
  return windows;
}

function stepsAround(account: Account, date: string): (minute: number) => number {
  const today = account.recordedDay(date)?.steps;
  const yesterday = account.recordedDay(addDays(date, -1))?.steps;
  return (minute) => (minute < 0 ? yesterday?.[minute + 1440] : today?.[minute]) ?? 0;
}

/** First minute of the window with the fewest steps; of several, the one whose middle is nearest to the usual middle of a night. */
function stillest(steps: (minute: number) => number, fromMinute: number, toMinute: number, lengthMinutes: number): number {
  let total = 0;
  for (let minute = fromMinute; minute < fromMinute + lengthMinutes; minute++) total += steps(minute);
  let best = { start: fromMinute, cost: Infinity };
  for (let start = fromMinute; start === fromMinute || start + lengthMinutes <= toMinute; start++) {
    const cost = total + Math.abs(start + lengthMinutes / 2 - usualMiddleMinute) / 1000;
    if (cost < best.cost) best = { start, cost };
    total += steps(start + lengthMinutes) - steps(start);
  }
  return best.start;
}
