import { expect, test } from 'vitest';
import { deadlineOf } from './deadline.ts';

const limits = { deadlineMs: 60_000, scanDeadlineMs: 20_000, pagesMax: 30 };

test.each([
  [0, 60_000],
  [1, 80_000],
  [30, 660_000],
  [31, 660_000],
  [1e9, 660_000],
  [-5, 60_000],
])('%s scanned pages have %s ms, and no count exceeds that of the most pages', (scans, ms) => {
  expect(deadlineOf(limits, scans)).toBe(ms);
});
