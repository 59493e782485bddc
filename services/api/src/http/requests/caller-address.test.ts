import { expect, it } from 'vitest';
import { callerAddress } from './caller-address.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51234', '203.0.113.7'],
  ['[2001:db8::7]:51234', '2001:db8::7'],
  ['fe80::7%eth0', 'fe80::7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['unknown', null],
  ['', null],
])('reads the address of a caller from %j', (given, address) => {
  expect(callerAddress(given)).toBe(address);
});

it('knows no address of a caller whose connection was reset before the request was handled', () => {
  expect(callerAddress(undefined)).toBeNull();
});
