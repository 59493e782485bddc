import { describe, expect, it } from 'vitest';
import { DatabaseTime } from './database-time.ts';

const start = Date.UTC(2026, 0, 5);
const hour = 3_600_000;
/** A reading that takes no time. */
const note = (time: DatabaseTime, databaseMs: number, ownMs: number) => time.note(databaseMs, ownMs, ownMs);

describe('DatabaseTime', () => {
  it('expires no lease before the clock was steady for the length of a lease', () => {
    const time = new DatabaseTime(60_000);
    expect(time.leasesEndBefore(0)).toBe('-infinity');
    note(time, start, 0);
    note(time, start + 59_000, 59_000);
    expect(time.leasesEndBefore(59_999)).toBe('-infinity');
    expect(time.leasesEndBefore(60_000)).toBe(new Date(start + 61_000).toISOString());
  });

  it('expires no lease early because of an undetected step', () => {
    const time = new DatabaseTime(60_000);
    note(time, start, 0);
    expect(Date.parse(time.leasesEndBefore(70_000))).toBeLessThan(start + 72_000);
  });

  it.each([
    ['forward', hour],
    ['backward', -hour],
  ])('detects a step %s and restarts its wait', (_name, stepMs) => {
    const time = new DatabaseTime(60_000);
    note(time, start, 0);
    expect(note(time, start + 70_000 + stepMs, 70_000)).toBe(stepMs);
    expect(time.leasesEndBefore(129_999)).toBe('-infinity');
    expect(time.leasesEndBefore(130_000)).toBe(new Date(start + 131_000 + stepMs).toISOString());
  });

  it('takes no slow reading on a busy machine for a step, and still detects a step across it', () => {
    const time = new DatabaseTime(60_000);
    time.note(start, -6000, 0);
    // The first reading was made six seconds before its answer arrived; the second in no time.
    expect(time.note(start + 8000, 2000, 2000)).toBe(0);
    // This one too waited for six seconds after the database had answered.
    expect(time.note(start + 10_000, 4000, 10_000)).toBe(0);
    expect(time.note(start + 18_000, 12_000, 12_000)).toBe(0);
    expect(time.note(start + 20_000 + hour, 14_000, 20_000)).toBe(0);
    expect(time.note(start + 28_000 + hour, 22_000, 22_000)).toBe(hour);
  });

  it('does not report slow drift as a step', () => {
    const time = new DatabaseTime(10_000);
    for (let second = 0; second < 100; second++) expect(note(time, start + second * 1500, second * 1000)).toBe(0);
    expect(time.leasesEndBefore(99_000)).not.toBe('-infinity');
  });
});
