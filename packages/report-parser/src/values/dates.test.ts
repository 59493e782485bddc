import { expect, test } from 'vitest';
import { daysOf, isDate, yearsBetween } from './dates.ts';

const day = (text: string) => Date.parse(`${text}T00:00:00Z`);

test.each([
  ['2026-02-01', ['2026-02-01']],
  ['02/01/2026', ['2026-02-01', '2026-01-02']],
  ['13.01.2026', ['2026-01-13']],
  ['12-Jan-2026', ['2026-01-12']],
  ['Jan 12, 2026', ['2026-01-12']],
  ['Feb 2026', ['2026-02-01']],
  ['3/4/80', ['1980-03-04', '1980-04-03']],
  ['13/14/2026', []],
  ['70-99', []],
  ['mayor 12', []],
])('the printed date %s may be the days %j', (text, days) => {
  expect(daysOf(text)).toEqual(days.map(day));
});

test('a text is a date only as a whole, with or without a time', () => {
  expect(['02/01/2026 08:10', '02/01/2026 08:10 AM', 'Feb 2026 Jul 2025', '02/01/2026 H', '1'.repeat(99)].map(isDate)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('an age is known when day and month cannot be interchanged to another', () => {
  expect(yearsBetween('03/04/1980', '02/01/2026')).toBe(45);
  expect(yearsBetween('01/05/1980', '03/02/2026')).toBeUndefined();
});
