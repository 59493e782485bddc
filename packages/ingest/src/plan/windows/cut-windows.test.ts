import { describe, expect, test } from 'vitest';
import { boundWindow, cutWindows } from './cut-windows.ts';

describe('cutWindows', () => {
  test('covers every day exactly once, newest first, in pieces no longer than requested', () => {
    expect(cutWindows({ startDate: '2026-02-25', endDate: '2026-03-03' }, 3)).toEqual([
      { startDate: '2026-03-01', endDate: '2026-03-03' },
      { startDate: '2026-02-26', endDate: '2026-02-28' },
      { startDate: '2026-02-25', endDate: '2026-02-25' },
    ]);
  });

  test('does not cut a range that fits into one piece', () => {
    expect(cutWindows({ startDate: '2026-03-01', endDate: '2026-03-03' }, 100)).toEqual([
      { startDate: '2026-03-01', endDate: '2026-03-03' },
    ]);
  });
});

describe('boundWindow', () => {
  const window = { startDate: '2026-03-01', endDate: '2026-03-10' };

  test('keeps the days within the bounds of the user', () => {
    expect(boundWindow(window, { ingestionStart: null, ingestionEnd: null })).toEqual(window);
    expect(boundWindow(window, { ingestionStart: '2026-03-04', ingestionEnd: '2026-03-05' })).toEqual({
      startDate: '2026-03-04',
      endDate: '2026-03-05',
    });
  });

  test('returns null when no day is allowed', () => {
    expect(boundWindow(window, { ingestionStart: '2026-03-11', ingestionEnd: null })).toBeNull();
    expect(boundWindow(window, { ingestionStart: null, ingestionEnd: '2026-02-28' })).toBeNull();
  });
});
