import { describe, expect, it } from 'vitest';
import { addDays, countDays, dayToMs, eachDay, splitWindow } from './days.ts';
import { readRetryAfterMs } from '../http/provider-retry-after.ts';
import { parseClock, parseInstant, parseWallClock } from './time.ts';

describe('parseInstant', () => {
  it.each([
    ['2025-05-01T07:10:00.000-04:00', '2025-05-01T11:10:00.000Z', -14_400],
    ['2025-05-01T07:10:00+05:30', '2025-05-01T01:40:00.000Z', 19_800],
    ['2025-05-01T07:10:00.123456Z', '2025-05-01T07:10:00.123Z', 0],
    ['2025-05-01T07:10-00:00', '2025-05-01T07:10:00.000Z', 0],
  ])('parseInstant reads the time %s', (text, iso, offset) => {
    const instant = parseInstant(text);
    expect(instant).toEqual({ ms: Date.parse(iso), offset });
  });

  it.each(['2025-05-01T07:10:00', '2025-02-30T07:10:00Z', '2025-05-01T24:00:00Z', '2025-05-01T07:10:00+99:00', '2025-05-01', '', 'Z'])(
    'parseInstant rejects the text %j',
    (text) => {
      expect(parseInstant(text)).toBeUndefined();
    },
  );
});

describe('parseWallClock', () => {
  it('reads digits as if they were UTC', () => {
    expect(parseWallClock('2025-05-01T23:59:59.5')).toBe(Date.parse('2025-05-01T23:59:59.500Z'));
    expect(parseWallClock('2025-05-01 23:59')).toBe(Date.parse('2025-05-01T23:59:00Z'));
  });

  it.each(['2025-05-01T07:10:00Z', '2025-05-01', '2025-13-01T00:00:00', '2025-05-01T00:60:00'])(
    'parseWallClock refuses the text %j',
    (text) => {
      expect(parseWallClock(text)).toBeUndefined();
    },
  );
});

describe('parseClock', () => {
  it('reads hours and minutes, with and without seconds', () => {
    expect([parseClock('00:00'), parseClock('23:59:59'), parseClock('24:00:00'), parseClock('7:00')]).toEqual([
      0,
      86_399_000,
      undefined,
      undefined,
    ]);
  });
});

describe('days', () => {
  it('counts across months, leap days and clock changes', () => {
    expect([addDays('2024-02-28', 1), addDays('2025-03-01', -1), addDays('2025-10-26', 1)]).toEqual([
      '2024-02-29',
      '2025-02-28',
      '2025-10-27',
    ]);
    expect(countDays({ startDate: '2025-03-29', endDate: '2025-03-31' })).toBe(3);
  });

  it('splits a window into pieces that cover each day once', () => {
    expect(splitWindow({ startDate: '2025-01-30', endDate: '2025-02-03' }, 2)).toEqual([
      { startDate: '2025-01-30', endDate: '2025-01-31' },
      { startDate: '2025-02-01', endDate: '2025-02-02' },
      { startDate: '2025-02-03', endDate: '2025-02-03' },
    ]);
    expect(eachDay({ startDate: '2025-02-02', endDate: '2025-02-01' })).toEqual([]);
  });

  it('rejects anything that is not a day', () => {
    expect([dayToMs('2025-02-29'), dayToMs('2025-2-1'), dayToMs('')]).toEqual([undefined, undefined, undefined]);
    expect(() => addDays('soon', 1)).toThrow(RangeError);
  });
});

describe('readRetryAfterMs', () => {
  it('reads seconds, and a date relative to the response’s own clock', () => {
    expect(readRetryAfterMs({ 'retry-after': '30' })).toBe(30_000);
    const date = 'Thu, 01 May 2025 10:00:00 GMT';
    expect(readRetryAfterMs({ 'retry-after': 'Thu, 01 May 2025 10:01:00 GMT', date })).toBe(60_000);
    expect(readRetryAfterMs({ 'retry-after': 'Thu, 01 May 2025 09:00:00 GMT', date })).toBe(0);
    expect(readRetryAfterMs({ 'retry-after': 'Thu May  1 10:01:00 2025', date })).toBe(60_000);
  });

  it('returns undefined when the header is absent or malformed', () => {
    expect([readRetryAfterMs({}), readRetryAfterMs({ 'retry-after': 'soon' }), readRetryAfterMs({ 'retry-after': '-5' })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
