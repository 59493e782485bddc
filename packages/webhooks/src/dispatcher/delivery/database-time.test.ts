import { describe, expect, it } from 'vitest';
import { DatabaseTime } from './database-time.ts';

const start = Date.UTC(2026, 0, 5);
const hour = 3_600_000;

describe('DatabaseTime', () => {
  it('expires no lease before the clock was steady for the length of a lease', () => {
    const time = new DatabaseTime(60_000);
    expect(time.leasesEndBefore(0)).toBe('-infinity');
    time.note(start, 0);
    time.note(start + 59_000, 59_000);
    expect(time.leasesEndBefore(59_999)).toBe('-infinity');
    expect(time.leasesEndBefore(60_000)).toBe(new Date(start + 61_000).toISOString());
  });

  it('expires no lease early because of an undetected step', () => {
    const time = new DatabaseTime(60_000);
    time.note(start, 0);
    expect(Date.parse(time.leasesEndBefore(70_000))).toBeLessThan(start + 72_000);
  });

  it.each([
    ['forward', hour],
    ['backward', -hour],
  ])('detects a step %s and restarts its wait', (_name, stepMs) => {
    const time = new DatabaseTime(60_000);
    time.note(start, 0);
    expect(time.note(start + 70_000 + stepMs, 70_000)).toBe(stepMs);
    expect(time.leasesEndBefore(129_999)).toBe('-infinity');
    expect(time.leasesEndBefore(130_000)).toBe(new Date(start + 131_000 + stepMs).toISOString());
  });

  it('does not report slow drift as a step', () => {
    const time = new DatabaseTime(10_000);
    for (let second = 0; second < 100; second++) expect(time.note(start + second * 1500, second * 1000)).toBe(0);
    expect(time.leasesEndBefore(99_000)).not.toBe('-infinity');
  });
});
