import { expect, test } from 'vitest';
import { plainWords } from './plain-words.ts';

test.each([
  [503, null, 'The receiver responded with 503 (Service Unavailable).'],
  [599, null, 'The receiver responded with 599.'],
  [302, null, 'The receiver redirected (302); redirects are not followed.'],
  [410, null, 'The receiver responded with 410 (Gone) and is sent nothing more.'],
  [null, 'dns_failed', 'The name of the host could not be resolved.'],
  [null, 'something_new', 'The attempt failed.'],
])('explains status %s and error %s in plain words', (status, error, text) => {
  expect(plainWords(status, error)).toBe(text);
});
