import { longIdOf } from '../../../model/seeded.ts';
import type { Account } from '../../accounts/types.ts';
import { classicOf, stagesOf, type Night, type Stretch } from './sleep-levels.ts';
import { sleepWindows, type SleepWindow } from './sleep-windows.ts';

/** A sleep log as in `/1.2/…/sleep`. */
export interface SleepLog {
  readonly logId: number;
  readonly dateOfSleep: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly duration: number;
  readonly type: 'stages' | 'classic';
  readonly logType: 'auto_detected';
  readonly isMainSleep: boolean;
  readonly infoCode: number;
  readonly efficiency: number;
  readonly timeInBed: number;
  readonly minutesAsleep: number;
  readonly minutesAwake: number;
  readonly minutesToFallAsleep: number;
  readonly minutesAfterWakeup: number;
  readonly levels: object;
}

// Shorter sleeps are reported in the older form, whatever the tracker.
const stagesMinutesMin = 180;

/** The sleeps that ended on a date, as far as the tracker has been read. */
export function sleepsOf(account: Account, date: string): SleepLog[] {
  if (date < account.firstDate) return [];
  return sleepWindows(account, date)
    .filter((window) => endMs(account, date, window) <= account.syncedMs())
    .map((window) => toLog(account, date, window))
    .filter(({ logId }) => !account.logs.isDeleted(logId));
}

/** The instants at which the sleeps of a date ended, whether the tracker has been read since or not. */
export function sleepEndsMs(account: Account, date: string): number[] {
  return sleepWindows(account, date).map((window) => endMs(account, date, window));
}

function endMs(account: Account, date: string, window: SleepWindow): number {
  return account.zone.toInstant(date, window.startSecond) + window.minutesInBed * 60_000;
}

function toLog(account: Account, date: string, window: SleepWindow): SleepLog {
  const { minutesInBed, minutesAsleep } = window;
  const startMs = account.zone.toInstant(date, window.startSecond);
  const type = account.sleepType === 'classic' || minutesAsleep < stagesMinutesMin ? 'classic' : 'stages';
  const edits = window.isMain ? account.logs.sleepEdits(date) : 0;
  const seed = `sleep:${account.ownerId}:${date}:${window.startSecond}${edits > 0 ? `:edit ${edits}` : ''}`;
  const night = type === 'stages' ? stagesOf(minutesInBed, minutesAsleep, seed) : classicOf(minutesInBed, minutesAsleep, seed);
  const toWire = (stretch: Stretch) => ({
    dateTime: account.zone.localText(startMs + stretch.startSecond * 1000),
    level: stretch.level,
    seconds: stretch.seconds,
  });
  return {
    logId: longIdOf(seed),
    dateOfSleep: date,
    startTime: account.zone.localText(startMs),
    endTime: account.zone.localText(endMs(account, date, window)),
    duration: minutesInBed * 60_000,
    type,
    logType: 'auto_detected',
    isMainSleep: window.isMain,
    infoCode: 0,
    efficiency: Math.round((minutesAsleep / minutesInBed) * 100),
    timeInBed: minutesInBed,
    minutesAsleep,
    minutesAwake: minutesInBed - minutesAsleep,
    minutesToFallAsleep: 0,
    minutesAfterWakeup: 0,
    levels: {
      data: night.data.map(toWire),
      ...(type === 'stages' && { shortData: night.shortData.map(toWire) }),
      summary: type === 'stages' ? stagesSummary(night, minutesAsleep, minutesInBed) : classicSummary(night),
    },
  };
}

function stagesSummary(night: Night, minutesAsleep: number, minutesInBed: number): object {
  const count = (level: string) => night.data.filter((stretch) => stretch.level === level).length;
  const minutesOf = (level: string) => {
    const stretches = night.data.filter((stretch) => stretch.level === level);
    const seconds = stretches.reduce((sum, stretch) => sum + stretch.seconds - overlaidSeconds(stretch, night.shortData), 0);
    return Math.floor(seconds / 60);
  };
  const [deep, rem] = [minutesOf('deep'), minutesOf('rem')];
  const entry = (level: string, minutes: number, countOfLevel = count(level)) => ({ count: countOfLevel, minutes, thirtyDayAvgMinutes: minutes });
  return {
    deep: entry('deep', deep),
    light: entry('light', minutesAsleep - deep - rem),
    rem: entry('rem', rem),
    wake: entry('wake', minutesInBed - minutesAsleep, count('wake') + night.shortData.length),
  };
}

function overlaidSeconds(stretch: Stretch, shortData: readonly Stretch[]): number {
  return shortData
    .filter((wake) => wake.startSecond >= stretch.startSecond && wake.startSecond < stretch.startSecond + stretch.seconds)
    .reduce((sum, wake) => sum + wake.seconds, 0);
}

function classicSummary(night: Night): object {
  const entry = (level: string) => {
    const stretches = night.data.filter((stretch) => stretch.level === level);
    return { count: stretches.length, minutes: Math.round(stretches.reduce((sum, stretch) => sum + stretch.seconds, 0) / 60) };
  };
  return { asleep: entry('asleep'), restless: entry('restless'), awake: entry('awake') };
}
