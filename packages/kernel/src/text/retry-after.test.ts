import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from './retry-after.ts';

const now = Date.parse('2026-01-04T10:00:00Z');

describe('parseRetryAfter', () => {
  it('reads seconds and HTTP dates', () => {
    expect(parseRetryAfter('120', now)).toBe(120_000);
    expect(parseRetryAfter(' 0 ', now)).toBe(0);
    expect(parseRetryAfter('Sun, 04 Jan 2026 10:00:30 GMT', now)).toBe(30_000);
    expect(parseRetryAfter(['7', '9'], now)).toBe(7000);
  });

  it.each(['Sun, 04 Jan 2026 11:00:00 GMT', 'Sunday, 04-Jan-26 11:00:00 GMT', 'Sun Jan  4 11:00:00 2026'])(
    'reads every form of an HTTP date: %s',
    (header) => {
      expect(parseRetryAfter(header, now)).toBe(3_600_000);
    },
  );

  it('reads a year of two digits as past when it would be more than fifty years ahead', () => {
    expect(parseRetryAfter('Sunday, 04-Jan-94 11:00:00 GMT', now)).toBe(0);
  });

  it('treats a past date as now', () => {
    expect(parseRetryAfter('Sun, 04 Jan 2026 09:00:00 GMT', now)).toBe(0);
  });

  it.each([
    undefined,
    '',
    'soon',
    '-5',
    '1.5',
    '2026-01-04',
    '9'.repeat(65),
    'Xyz GMT',
    'Sun Foo  4 11:00:00 2026',
    'Sun, 04 anF 2026 11:00:00 GMT',
  ])('returns undefined for %s', (header) => {
    expect(parseRetryAfter(header, now)).toBeUndefined();
  });

  it('returns a finite number for absurdly large values', () => {
    expect(Number.isFinite(parseRetryAfter('9'.repeat(60), now))).toBe(true);
  });
});
