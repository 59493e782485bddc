import { expect, test } from 'vitest';
import { localDay } from './local-day.ts';

const now = new Date('2026-03-20T20:30:00Z');

test('the day is the one on the clock of the account, else of the user, else of UTC', () => {
  expect(localDay({ account: { time_zone: 'Asia/Tokyo' }, fallbackTimeZone: 'America/New_York' }, now)).toBe('2026-03-21');
  expect(localDay({ account: {}, fallbackTimeZone: 'Pacific/Kiritimati' }, now)).toBe('2026-03-21');
  expect(localDay({ account: {}, fallbackTimeZone: null }, now)).toBe('2026-03-20');
});

test('a zone that does not exist is as good as none', () => {
  expect(localDay({ account: { time_zone: 'Mars/Olympus' }, fallbackTimeZone: 'Nowhere' }, now)).toBe('2026-03-20');
});
