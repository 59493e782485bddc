import { describe, expect, it } from 'vitest';
import { checkUrl } from './checks.ts';

describe('the URL of an endpoint', () => {
  it.each([
    'https://x..example/',
    'https://-x.example/',
    'https://x-.example/',
    `https://${'a'.repeat(64)}.example/`,
    `https://${'a.'.repeat(130)}example/`,
    'https://.example/',
  ])('is refused if its host can never be found, such as %s', (url) => {
    expect(() => checkUrl(url, {})).toThrow('host name that cannot exist');
  });

  it.each([
    'https://x.example/',
    'https://x-1.example/h',
    'https://hook_1.example/',
    'https://x.example./',
    'https://localhost/',
    'https://[2001:db8::1]/',
  ])('is accepted if its host can exist, such as %s', (url) => expect(checkUrl(url, {})).toBe(url));

  it('has a name of other letters in their encoded form', () => {
    expect(checkUrl('https://bücher.example/', {})).toBe('https://xn--bcher-kva.example/');
  });
});
