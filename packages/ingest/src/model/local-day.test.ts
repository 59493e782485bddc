import { expect, test } from 'vitest';
import { localDay } from './local-day.ts';

const now = new Date('2026-03-20T20:30:00Z');

test("uses the day in the account's time zone, else the user's, else UTC", () => {
  expect(localDay({ account: { time_zone: 'Asia/Tokyo' }, fallbackTimeZone: 'America/New_York' }, now)).toBe('2026-03-21');
  expect(localDay({ account: {}, fallbackTimeZone: 'Pacific/Kiritimati' }, now)).toBe('2026-03-21');
  expect(localDay({ account: {}, fallbackTimeZone: null }, now)).toBe('2026-03-20');
});

test('ignores an unknown time zone', () => {
  expect(localDay({ account: { time_zone: 'Mars/Olympus' }, fallbackTimeZone: 'Nowhere' }, now)).toBe('2026-03-20');
});
