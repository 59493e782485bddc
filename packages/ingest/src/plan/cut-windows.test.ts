import { describe, expect, test } from 'vitest';
import { cutWindows } from './cut-windows.ts';

const unbounded = { ingestionStart: null, ingestionEnd: null };

describe('cutWindows', () => {
  test('covers every day exactly once, newest first, in pieces no longer than requested', () => {
    expect(cutWindows({ startDate: '2026-02-25', endDate: '2026-03-03' }, 3, unbounded)).toEqual([
      { startDate: '2026-03-01', endDate: '2026-03-03' },
      { startDate: '2026-02-26', endDate: '2026-02-28' },
      { startDate: '2026-02-25', endDate: '2026-02-25' },
    ]);
  });

  test('does not cut a range that fits into one piece', () => {
    expect(cutWindows({ startDate: '2026-03-01', endDate: '2026-03-03' }, 100, unbounded)).toEqual([
      { startDate: '2026-03-01', endDate: '2026-03-03' },
    ]);
  });

  const window = { startDate: '2026-03-01', endDate: '2026-03-10' };

  test('keeps the days within the bounds of the user', () => {
    expect(cutWindows(window, 100, unbounded)).toEqual([window]);
    expect(cutWindows(window, 1, { ingestionStart: '2026-03-04', ingestionEnd: '2026-03-05' })).toEqual([
      { startDate: '2026-03-05', endDate: '2026-03-05' },
      { startDate: '2026-03-04', endDate: '2026-03-04' },
    ]);
  });

  test('cutWindows returns no window when no day is allowed', () => {
    expect(cutWindows(window, 1, { ingestionStart: '2026-03-11', ingestionEnd: null })).toEqual([]);
    expect(cutWindows(window, 1, { ingestionStart: null, ingestionEnd: '2026-02-28' })).toEqual([]);
  });
});
