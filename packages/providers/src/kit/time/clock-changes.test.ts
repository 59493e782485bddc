import { expect, it } from 'vitest';
import { mayHaveChanged } from './clock-changes.ts';

const ms = (time: string) => Date.parse(time);
const hour = 3600;

it.each([
  // Of the clocks at -5, Havana's go to summer time on 8 March 2026 at 05:00 UTC and New York's at 07:00; at -8, Los Angeles' at 10:00.
  [-5 * hour, '2026-03-08T04:00:00Z', '2026-03-08T04:59:00Z', false],
  [-5 * hour, '2026-03-08T04:00:00Z', '2026-03-08T05:00:00Z', true],
  [-5 * hour, '2026-03-08T05:30:00Z', '2026-03-08T06:59:00Z', false],
  [-5 * hour, '2026-03-08T05:30:00Z', '2026-03-08T07:00:00Z', true],
  [-5 * hour, '2026-03-08T07:30:00Z', '2026-03-08T12:00:00Z', false],
  [-8 * hour, '2026-03-08T04:00:00Z', '2026-03-08T09:59:00Z', false],
  // India has no summer time.
  [5.5 * hour, '2026-03-08T00:00:00Z', '2026-03-09T00:00:00Z', false],
  // Europe, across midnight UTC.
  [hour, '2026-03-28T22:00:00Z', '2026-03-29T05:00:00Z', true],
  [hour, '2026-03-21T22:00:00Z', '2026-03-22T05:00:00Z', false],
])('knows whether clocks at %i may change between %s and %s', (offset, from, to, expected) => {
  expect(mayHaveChanged(offset, ms(from), ms(to))).toBe(expected);
});
