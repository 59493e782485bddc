import { expect, test } from 'vitest';
import { bossErrorMessage } from './boss-error-message.ts';

test('returns the message of an error or of an object that describes one, or the text itself', () => {
  expect(bossErrorMessage(new Error('lost the connection'))).toBe('lost the connection');
  expect(bossErrorMessage({ message: 'lost the connection', queue: 'ingest-tick' })).toBe('lost the connection');
  expect(bossErrorMessage('lost the connection')).toBe('lost the connection');
});
