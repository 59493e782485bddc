import { expect, test } from 'vitest';
import { offsetsFromOf } from './pullable.ts';

const originOf = (offsetsFrom: 'values' | 'zone' | undefined, account: Record<string, unknown>, fallbackTimeZone: string | null) =>
  offsetsFromOf({ connector: offsetsFrom ? { offsetsFrom } : {}, connection: { account, fallbackTimeZone } });

test("offsets computed from a zone use the account's zone, else the user's fallback", () => {
  expect(originOf('zone', { time_zone: 'Europe/Berlin' }, 'Asia/Tokyo')).toBe('provider');
  expect(originOf('zone', { time_zones: [{ since: '2026-01-01', time_zone: 'Europe/Berlin' }] }, 'Asia/Tokyo')).toBe('provider');
  expect(originOf('zone', { time_zone: 'Mars/Olympus' }, 'Asia/Tokyo')).toBe('user');
});

test('the offsets of other providers are part of their values', () => {
  expect(originOf(undefined, { time_zone: 'Europe/Berlin' }, 'Asia/Tokyo')).toBe('value');
});
