import { expect, it } from 'vitest';
import { dayAfter, dayBefore, isCalendarDay } from './log-days.ts';

it('stays within the days that Postgres supports for any instant', () => {
  expect(dayBefore(new Date('2026-01-05T12:00:00Z'))).toBe('2026-01-04');
  expect(dayBefore(new Date('0001-01-01T00:00:00Z'))).toBe('2020-01-01');
  expect(dayAfter(new Date('2026-01-05T12:00:00Z'))).toBe('2026-01-06');
  expect(dayAfter(new Date('9999-12-31T23:59:59Z'))).toBe('9999-12-31');
});

it('accepts only valid calendar days', () => {
  expect(['2026-01-05', '2028-02-29', '9999-12-31'].map(isCalendarDay)).toEqual([true, true, true]);
  expect(['2026-02-29', '2026-02-31', '2026-13-01', '0000-01-01', '2026-1-5', 'day 1'].map(isCalendarDay)).not.toContain(true);
});
