import { expect, it } from 'vitest';
import { groupOf } from './failed-keys.ts';

it('counts IPv6 by /64 and IPv4 by address, including mapped addresses', () => {
  expect(groupOf('2001:db8:1:2:3::9')).toBe(groupOf('2001:db8:1:2:ffff::1'));
  expect(groupOf('2001:db8:1:2::1')).not.toBe(groupOf('2001:db8:1:3::1'));
  expect([groupOf('::ffff:203.0.113.7'), groupOf('203.0.113.8')]).toEqual(['203.0.113.7', '203.0.113.8']);
});
