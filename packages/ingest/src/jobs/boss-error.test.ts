import { expect, test } from 'vitest';
import { bossError } from './boss-error.ts';

test('returns an error itself, and makes one of an object that describes an error and of a text', () => {
  const lost = new Error('lost the connection');
  expect(bossError(lost)).toBe(lost);
  expect(bossError({ message: 'lost the connection', queue: 'ingest-tick' })).toEqual(lost);
  expect(bossError('lost the connection')).toEqual(lost);
});
