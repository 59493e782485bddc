import { dayMs } from '@pulsewire/kernel';
import { describe, expect, it } from 'vitest';
import { judgeClock, type RunningClock } from './failure-clock.ts';

const judge = (lastFailureDays: number | null, changes: Partial<RunningClock> = {}, nowDays = lastFailureDays ?? 0) =>
  judgeClock(
    {
      failingSinceMs: 0,
      isWarned: false,
      hasSucceeded: false,
      lastFailureMs: lastFailureDays === null ? null : lastFailureDays * dayMs,
      ...changes,
    },
    nowDays * dayMs,
  );

describe('judgeClock', () => {
  it('warns once at half time and disables after five days of failures', () => {
    expect(judge(2.4)).toBe('wait');
    expect(judge(2.5)).toBe('warn');
    expect(judge(2.5, { isWarned: true })).toBe('wait');
    expect(judge(4.99, { isWarned: true })).toBe('wait');
    expect(judge(5, { isWarned: true })).toBe('disable');
  });

  it('disables after five days even without an earlier warning', () => {
    expect(judge(5)).toBe('disable');
  });

  it('ends with a success, regardless of later failures', () => {
    expect(judge(6, { hasSucceeded: true })).toBe('clear');
  });

  it('judges by the last failure, not by the current time', () => {
    expect(judge(1, {}, 6)).toBe('wait');
    expect(judge(1, {}, 8)).toBe('wait');
    expect(judge(1, {}, 8.01)).toBe('clear');
    expect(judge(null)).toBe('clear');
  });
});
