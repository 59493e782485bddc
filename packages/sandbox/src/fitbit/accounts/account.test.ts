import { createManualClock } from '@pulsewire/kernel';
import { describe, expect, test } from 'vitest';
import { createAccount } from './account.ts';
import { demoAccounts } from './demo-accounts.ts';
import { addDays, dayNumber } from '../../model/calendar.ts';
import { createSimulatorClock } from '../../model/simulator-clock.ts';
import { createZone } from '../../model/zone.ts';
import { createRecording } from '../../recording/recording.ts';

const recording = createRecording();

function accountAt(now: string, changed: Partial<Parameters<typeof createAccount>[0]> = {}) {
  const time = createManualClock(new Date(now));
  const spec = { name: 'Ada', timeZone: 'America/New_York', recordedUser: '1503960366', ...changed };
  return { time, account: createAccount(spec, { recording, clock: createSimulatorClock({ clock: time }) }) };
}

describe('dates', () => {
  test('a date has the same recorded day regardless of when the simulator is started', () => {
    const [early, late] = [accountAt('2026-11-20T12:00:00Z').account, accountAt('2026-11-29T12:00:00Z').account];
    for (let back = 3; back < 15; back++) {
      const date = addDays(early.today(), -back);
      expect(early.day(date)?.recorded.date).toBe(late.day(date)?.recorded.date);
    }
  });

  test('weekdays are kept, and the recording starts over when it ends', () => {
    const { account } = accountAt('2026-11-20T12:00:00Z');
    const seen = new Set<string>();
    for (let ahead = 0; ahead < 90; ahead++) {
      const date = addDays(account.today(), ahead);
      const recorded = account.recordedDay(date);
      expect((dayNumber(date) - dayNumber(recorded?.date ?? '')) % 7).toBe(0);
      seen.add(recorded?.date ?? '');
    }
    expect(seen.size).toBe(28);
  });
});

describe('the present', () => {
  test('nothing is known after the tracker was last read', () => {
    const { account } = accountAt('2026-11-20T20:00:30Z', { backlogMinutes: 10 });
    expect(account.day('2026-11-20')?.minutes.length).toBe(14 * 60 + 50);
    expect(account.day('2026-11-21')).toBeUndefined();
    expect(account.day('2026-11-19')?.minutes.length).toBe(1440);
  });

  test('reading the tracker never goes past now, and continues as time does', () => {
    const { account, time } = accountAt('2026-11-20T20:00:30Z', { backlogMinutes: 10 });
    const { fromMs, toMs } = account.readTracker(60);
    expect(toMs - fromMs).toBe(10 * 60_000);
    expect(account.readTracker(60).toMs).toBe(toMs);
    time.advance(120_000);
    expect(account.readTracker(60).toMs).toBe(toMs + 120_000);
  });

  test('nothing is known before the account began', () => {
    const { account } = accountAt('2026-11-20T20:00:00Z', { historyDays: 3 });
    expect([account.day('2026-11-18'), account.day('2026-11-17')].map((day) => day !== undefined)).toEqual([true, false]);
  });
});

test('minutes that the clocks jump over do not exist', () => {
  const { account } = accountAt('2026-03-10T12:00:00Z');
  expect(account.day('2026-03-08')?.minutes.length).toBe(1380);
  expect(account.day('2026-03-08')?.minutes.includes(150)).toBe(false);
  expect(account.day('2026-03-09')?.minutes.length).toBe(1440);
});

test('a zone converts both ways, half-hour zones included', () => {
  for (const [name, offset] of [
    ['Asia/Kolkata', 330],
    ['America/New_York', -300],
    ['Etc/UTC', 0],
  ] as const) {
    const zone = createZone(name);
    const instantMs = Date.parse('2026-11-20T20:00:05Z');
    const local = zone.toLocal(instantMs);
    expect(zone.offsetMinutes(instantMs)).toBe(offset);
    expect(zone.toInstant(local.date, local.minute * 60 + local.second)).toBe(instantMs);
    expect(new Date(zone.offsetText(instantMs)).getTime()).toBe(instantMs);
  }
});

test('every demonstration account has an id of its own and a recording behind it', () => {
  const accounts = demoAccounts(40).map((spec) => accountAt('2026-11-20T20:00:00Z', spec).account);
  expect(new Set(accounts.map((account) => account.ownerId)).size).toBe(40);
  for (const account of accounts) expect(account.day(addDays(account.today(), -1))?.minutes.length).toBe(1440);
});
