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

  it('treats a past date as now', () => {
    expect(parseRetryAfter('Sun, 04 Jan 2026 09:00:00 GMT', now)).toBe(0);
  });

  it.each([undefined, '', 'soon', '-5', '1.5', '2026-01-04', '9'.repeat(65), 'Xyz GMT'])('returns undefined for %s', (header) => {
    expect(parseRetryAfter(header, now)).toBeUndefined();
  });

  it('returns a finite number for absurdly large values', () => {
    expect(Number.isFinite(parseRetryAfter('9'.repeat(60), now))).toBe(true);
  });
});
