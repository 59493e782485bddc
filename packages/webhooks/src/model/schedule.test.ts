import { describe, expect, it } from 'vitest';
import { defaultScheduleMs, retryDelayMs } from './schedule.ts';

const middle = () => 0.5;

describe('retryDelayMs', () => {
  it('follows the schedule and ends with it', () => {
    const delays = Array.from({ length: 10 }, (_, made) => retryDelayMs({ attempts: made + 1, random: middle }));
    expect(delays).toEqual([...defaultScheduleMs.slice(1), null]);
    expect(defaultScheduleMs.map((ms) => ms / 1000)).toEqual([0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  });

  it('spreads each delay by a fifth to both sides', () => {
    expect(retryDelayMs({ attempts: 1, random: () => 0 })).toBe(4000);
    expect(retryDelayMs({ attempts: 1, random: () => 1 })).toBe(6000);
  });

  it('waits longer when the receiver asks for it, a day at most', () => {
    expect(retryDelayMs({ attempts: 1, retryAfterMs: 60_000, random: middle })).toBe(60_000);
    expect(retryDelayMs({ attempts: 1, retryAfterMs: 10 * 86_400_000, random: middle })).toBe(86_400_000);
  });

  it('never waits less than the schedule says, and does not go on after its end', () => {
    expect(retryDelayMs({ attempts: 2, retryAfterMs: 1000, random: middle })).toBe(300_000);
    expect(retryDelayMs({ attempts: 10, retryAfterMs: 1000, random: middle })).toBeNull();
  });
});
