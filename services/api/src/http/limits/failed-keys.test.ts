import { describe, expect, it } from 'vitest';
import { createManualClock } from '@pulsewire/kernel';
import { addressesMax, createFailedKeys, failuresMax, groupOf } from './failed-keys.ts';

describe('failed keys', () => {
  it('counts IPv6 by /64 and IPv4 by address, mapped ones too', () => {
    expect(groupOf('2001:db8:1:2:3::9')).toBe(groupOf('2001:db8:1:2:ffff::1'));
    expect(groupOf('2001:db8:1:2::1')).not.toBe(groupOf('2001:db8:1:3::1'));
    expect([groupOf('::ffff:203.0.113.7'), groupOf('203.0.113.8')]).toEqual(['203.0.113.7', '203.0.113.8']);
  });

  it('forgets the oldest addresses instead of growing without end', () => {
    const failed = createFailedKeys(createManualClock(new Date(0)));
    const fail = (address: string) => failed.refusal(address)?.kind ?? null;
    for (let i = 0; i < failuresMax; i += 1) fail('203.0.113.7');
    expect(fail('203.0.113.7')).toBe('rate_limited');
    for (let i = 0; i < addressesMax; i += 1) fail(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
    expect(fail('203.0.113.7')).toBeNull();
  });
});
