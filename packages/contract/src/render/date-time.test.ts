import { expect, test } from 'vitest';
import { renderDate, renderDateTime } from './date-time.ts';

test('renders an instant in UTC with an explicit offset', () => {
  expect(renderDateTime(Date.UTC(2026, 0, 4, 10, 0, 0))).toBe('2026-01-04T10:00:00+00:00');
});

test('renders milliseconds only when they are not zero', () => {
  expect(renderDateTime(Date.UTC(2026, 0, 4, 23, 59, 59, 7))).toBe('2026-01-04T23:59:59.007+00:00');
  expect(renderDateTime(Date.UTC(2026, 0, 4, 23, 59, 59, 500))).toBe('2026-01-04T23:59:59.500+00:00');
});

test('renders the right day for instants that alternate around midnight', () => {
  const midnight = Date.UTC(2026, 0, 5);
  expect([midnight, midnight - 1000, midnight].map(renderDateTime)).toEqual([
    '2026-01-05T00:00:00+00:00',
    '2026-01-04T23:59:59+00:00',
    '2026-01-05T00:00:00+00:00',
  ]);
  expect(renderDate(midnight - 1)).toBe('2026-01-04');
});

test('renders instants before 1970', () => {
  expect(renderDateTime(-1)).toBe('1969-12-31T23:59:59.999+00:00');
});

test('rejects values that are not instants', () => {
  for (const ms of [Number.NaN, Infinity, -Infinity, 9e15])
    expect(() => renderDateTime(ms)).toThrow(expect.objectContaining({ code: 'bad_time' }));
});
