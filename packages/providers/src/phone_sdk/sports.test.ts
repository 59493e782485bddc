import { expect, it } from 'vitest';
import { sportSlugOf } from './sports.ts';

it.each([
  ['RUNNING_TREADMILL', 'treadmill_running'],
  ['FOOTBALL_AMERICAN', 'american_football'],
  ['FOOTBALL_AUSTRALIAN', 'football'],
  ['CRUNCH', 'strength_training'],
  ['ROPE_SKIPPING', 'jumping_rope'],
  ['cross_country_skiing', 'cross_country_skiing'],
  ['SKIING', 'skiing'],
  ['UNKNOWN_99', 'other'],
])('names the sport of the exercise type %s', (type, slug) => {
  expect(sportSlugOf(type)).toBe(slug);
});
