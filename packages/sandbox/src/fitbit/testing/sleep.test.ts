import { createManualClock } from '@pulsewire/kernel';
import { describe, expect, test } from 'vitest';
import { createAccount } from '../accounts/account.ts';
import { sleepsOf } from '../data/sleep/sleep.ts';
import { addDays } from '../../model/calendar.ts';
import { createSimulatorClock } from '../../model/simulator-clock.ts';
import { createRecording } from '../../recording/recording.ts';

const recording = createRecording();
const clock = createSimulatorClock({ clock: createManualClock(new Date('2026-11-20T20:00:00Z')) });

interface Levels {
  data: { dateTime: string; level: string; seconds: number }[];
  shortData?: { dateTime: string; level: string; seconds: number }[];
  summary: Record<string, { count: number; minutes: number }>;
}

function allSleeps(sleepType: 'stages' | 'classic') {
  return recording.users().flatMap((recordedUser) => {
    const account = createAccount({ name: recordedUser, timeZone: 'Asia/Kolkata', recordedUser, sleepType }, { recording, clock });
    return Array.from({ length: 28 }, (_, back) => sleepsOf(account, addDays(account.today(), -back))).flat();
  });
}

const local = (text: string) => Date.parse(`${text}Z`);
const seconds = (stretches: readonly { seconds: number }[] = []) => stretches.reduce((sum, stretch) => sum + stretch.seconds, 0);

describe('stages, for every recorded night', () => {
  const sleeps = allSleeps('stages').filter((sleep) => sleep.type === 'stages');

  test('there are nights to check', () => expect(sleeps.length).toBeGreaterThan(150));

  test('the levels are contiguous from start to end', () => {
    for (const sleep of sleeps) {
      const { data } = sleep.levels as Levels;
      let at = local(sleep.startTime);
      for (const stretch of data) {
        expect(local(stretch.dateTime)).toBe(at);
        at += stretch.seconds * 1000;
      }
      expect(at).toBe(local(sleep.endTime));
      expect(seconds(data)).toBe(sleep.timeInBed * 60);
    }
  });

  test('the time awake is right only with the short wakes laid over the levels', () => {
    for (const sleep of sleeps) {
      const { data, shortData = [], summary } = sleep.levels as Levels;
      expect(seconds(data.filter((stretch) => stretch.level === 'wake')) + seconds(shortData)).toBe(sleep.minutesAwake * 60);
      expect(summary['wake']?.minutes).toBe(sleep.minutesAwake);
      expect(['deep', 'light', 'rem'].reduce((sum, level) => sum + (summary[level]?.minutes ?? 0), 0)).toBe(sleep.minutesAsleep);
    }
  });

  test('short wakes last up to three minutes, lie inside one stretch asleep and never overlap', () => {
    for (const sleep of sleeps) {
      const { data, shortData = [] } = sleep.levels as Levels;
      let freeFrom = 0;
      for (const wake of shortData) {
        const [start, end] = [local(wake.dateTime), local(wake.dateTime) + wake.seconds * 1000];
        expect(wake.seconds).toBeLessThanOrEqual(180);
        expect(start).toBeGreaterThanOrEqual(freeFrom);
        expect(
          data.some(
            (stretch) =>
              stretch.level !== 'wake' && start >= local(stretch.dateTime) && end <= local(stretch.dateTime) + stretch.seconds * 1000,
          ),
        ).toBe(true);
        freeFrom = end;
      }
    }
  });
});

test('an older tracker returns classic levels with consistent minutes', () => {
  for (const sleep of allSleeps('classic')) {
    const { data, shortData, summary } = sleep.levels as Levels;
    expect(sleep.type).toBe('classic');
    expect(shortData).toBeUndefined();
    expect(seconds(data)).toBe(sleep.timeInBed * 60);
    expect(summary['asleep']?.minutes).toBe(sleep.minutesAsleep);
  }
});

test('in the night of the change to winter time the local times are an hour closer than the duration', () => {
  const account = createAccount({ name: 'Ada', timeZone: 'Europe/Berlin', recordedUser: '5553957443' }, { recording, clock });
  const [night] = sleepsOf(account, '2026-10-25').filter((sleep) => sleep.isMainSleep);
  if (!night) throw new Error('no such night');
  expect(local(night.endTime) - local(night.startTime)).toBe(night.duration - 3_600_000);
});

test('two sleeps of a day do not overlap, and their minutes are the recorded ones', () => {
  const account = createAccount({ name: 'Ada', timeZone: 'Europe/Berlin', recordedUser: '1503960366' }, { recording, clock });
  let seen = 0;
  for (let back = 1; back < 28; back++) {
    const date = addDays(account.today(), -back);
    const recorded = account.recordedDay(date)?.sleep;
    const sleeps = sleepsOf(account, date);
    expect(sleeps.reduce((sum, sleep) => sum + sleep.minutesAsleep, 0)).toBe(recorded?.minutesAsleep ?? 0);
    expect(sleeps.reduce((sum, sleep) => sum + sleep.timeInBed, 0)).toBe(recorded?.minutesInBed ?? 0);
    const [main, nap] = sleeps;
    if (!main || !nap) continue;
    seen += 1;
    expect(main.isMainSleep && !nap.isMainSleep && main.endTime <= nap.startTime).toBe(true);
  }
  expect(seen).toBeGreaterThan(0);
});
