import { expect, it } from 'vitest';
import { filesUnder, read, withoutComments } from './sources/workspace.ts';

/** Compares a day with an end of a window. */
const comparison = /(?:[<>]=?\s*(?:window\.)?(?:startDate|endDate)\b|\b(?:startDate|endDate)\s*[<>]=?)/;

/** Files that cut ranges of days, or decide what is read, and leave out no item. */
const allowed: readonly string[] = [
  'dexcom_v3/pulls/range-pull.ts',
  'eight_sleep/map-trends.ts',
  'fitbit/mappers/map-workouts.ts',
  'fitbit/pulls/paging.ts',
  'google_health/push/push.ts',
  'kardia/map-recordings.ts',
  'polar/complete-days.ts',
  'withings/pulls/depths.ts',
];

it('decides what is outside a window in one place, so that every item left to another one is counted', () => {
  const folder = 'packages/providers/src';
  const files = filesUnder(folder, ['.ts']).filter((file) => !file.includes('/kit/') && !file.endsWith('.test.ts'));
  const own = files.filter((file) => comparison.test(withoutComments(read(file)))).map((file) => file.slice(folder.length + 1));
  expect(own).toEqual(allowed);
});
