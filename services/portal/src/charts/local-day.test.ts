import { describe, expect, it } from 'vitest';
import { clockTime, dayBeside, dayBounds } from './local-day.ts';

const hours = ({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) => (toMs - fromMs) / 3_600_000;
const iso = (ms: number) => new Date(ms).toISOString();

describe('a local day', () => {
  it.each([
    ['UTC', '2026-03-19', '2026-03-19T00:00:00.000Z', 24],
    ['Asia/Kolkata', '2026-03-19', '2026-03-18T18:30:00.000Z', 24],
    ['Pacific/Kiritimati', '2026-03-19', '2026-03-18T10:00:00.000Z', 24],
    ['Pacific/Pago_Pago', '2026-03-19', '2026-03-19T11:00:00.000Z', 24],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', 23],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', 25],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z', 23],
  ])('in %s on %s begins at its midnight and has its own length', (zone, day, from, length) => {
    const bounds = dayBounds(day, zone);
    expect([iso(bounds.fromMs), hours(bounds)]).toEqual([from, length]);
  });

  it('follows the day before without a gap, on every day of a year', () => {
    for (const zone of ['Europe/Berlin', 'America/Santiago', 'Australia/Lord_Howe', 'Asia/Kathmandu'])
      for (let day = '2026-01-01'; day < '2027-01-01'; day = dayBeside(day, 1))
        expect([zone, day, dayBounds(day, zone).toMs]).toEqual([zone, day, dayBounds(dayBeside(day, 1), zone).fromMs]);
  });

  it('shows times on the clock of the zone, and falls back to UTC for a zone that does not exist', () => {
    expect(clockTime(Date.parse('2026-03-18T18:30:00Z'), 'Asia/Kolkata')).toBe('00:00');
    expect(clockTime(Date.parse('2026-03-18T18:30:00Z'), 'Mars/Base')).toBe('18:30');
  });
});
