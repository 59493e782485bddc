import { expect, it } from 'vitest';
import { dayAfter, dayBefore } from './log-days.ts';

it('stays within the days that Postgres knows, however early or late the instant', () => {
  expect(dayBefore(new Date('2026-01-05T12:00:00Z'))).toBe('2026-01-04');
  expect(dayBefore(new Date('0001-01-01T00:00:00Z'))).toBe('2020-01-01');
  expect(dayAfter(new Date('2026-01-05T12:00:00Z'))).toBe('2026-01-06');
  expect(dayAfter(new Date('9999-12-31T23:59:59Z'))).toBe('9999-12-31');
});
