import type { QuotaRule } from '@pulsewire/providers';
import { describe, expect, it } from 'vitest';
import { callsMax } from './cut-short.ts';

const hourMs = 3_600_000;
const rule = (requests: number, perMs: number): QuotaRule => ({ scope: 'app', requests, perMs, window: 'sliding' });
const oneDay = { startDate: '2026-03-20', endDate: '2026-03-20' };

describe('the calls that a window may cost', () => {
  it('are those that the narrowest of its limits gives in a day', () => {
    expect(callsMax([rule(100, hourMs / 4), rule(1000, 24 * hourMs)], oneDay)).toBe(1000);
    expect(callsMax([rule(10, hourMs), rule(1000, 24 * hourMs)], oneDay)).toBe(240);
  });

  it('are a day`s for each of its days, and all of a limit for longer', () => {
    expect(callsMax([rule(10, hourMs)], { startDate: '2026-03-01', endDate: '2026-03-30' })).toBe(30 * 240);
    expect(callsMax([rule(500, 7 * 24 * hourMs)], oneDay)).toBe(500);
  });

  it('have no bound where there is no limit', () => {
    expect(callsMax([], oneDay)).toBe(Number.POSITIVE_INFINITY);
  });
});
