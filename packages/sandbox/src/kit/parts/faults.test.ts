import { expect, test } from 'vitest';
import { createFaults } from './faults.ts';

function drawn(seed: string, places: readonly string[]): string[] {
  const faults = createFaults(seed, { http_500: 0.3 });
  return places.filter((place) => faults.strikes('http_500', place));
}

test('the same seed produces the same faults for each place, however requests interleave', () => {
  const one = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? 'a' : 'b'));
  const other = one.toSorted();
  const count = (hits: readonly string[]) => hits.filter((place) => place === 'a').length;
  expect(drawn('seed', one)).toEqual(drawn('seed', one));
  expect(count(drawn('seed', one))).toBe(count(drawn('seed', other)));
  expect(drawn('seed', one)).not.toEqual(drawn('another', one));
});

test('rates are met, can be changed while running and cleared', () => {
  const faults = createFaults('seed', { http_500: 0.2 });
  const hits = () => Array.from({ length: 2000 }, () => faults.strikes('http_500', 'here')).filter(Boolean).length;
  expect(hits()).toBeGreaterThan(300);
  faults.set({ http_500: 1 });
  expect(hits()).toBe(2000);
  faults.clear();
  expect(hits()).toBe(0);
});
