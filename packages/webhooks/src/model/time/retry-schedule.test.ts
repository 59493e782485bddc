import { describe, expect, it } from 'vitest';
import { defaultScheduleMs, retryDelayMs } from './retry-schedule.ts';

const middle = () => 0.5;

describe('retryDelayMs', () => {
  it('follows the schedule and returns null after its end', () => {
    const delays = Array.from({ length: 10 }, (_, made) => retryDelayMs({ attempts: made + 1, random: middle }));
    expect(delays).toEqual([...defaultScheduleMs.slice(1), null]);
    expect(defaultScheduleMs.map((ms) => ms / 1000)).toEqual([0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  });

  it('varies each delay by up to a fifth in both directions', () => {
    expect(retryDelayMs({ attempts: 1, random: () => 0 })).toBe(4000);
    expect(retryDelayMs({ attempts: 1, random: () => 1 })).toBe(6000);
  });

  it('honours a longer Retry-After, up to a day', () => {
    expect(retryDelayMs({ attempts: 1, retryAfterMs: 60_000, random: middle })).toBe(60_000);
    expect(retryDelayMs({ attempts: 1, retryAfterMs: 10 * 86_400_000, random: middle })).toBe(86_400_000);
  });

  it('never waits less than the schedule, and never extends it', () => {
    expect(retryDelayMs({ attempts: 2, retryAfterMs: 1000, random: middle })).toBe(300_000);
    expect(retryDelayMs({ attempts: 10, retryAfterMs: 1000, random: middle })).toBeNull();
  });
});
