import { hourMs } from '@pulsewire/kernel';
import type { QuotaRule } from '@pulsewire/providers';
import { describe, expect, it } from 'vitest';
import { callsMax } from './quota-interruption.ts';

const rule = (requests: number, perMs: number): QuotaRule => ({ scope: 'app', requests, perMs, window: 'sliding' });
const oneDay = { startDate: '2026-03-20', endDate: '2026-03-20' };

describe('the calls that a window may cost', () => {
  it('are what its strictest limit allows in a day', () => {
    expect(callsMax([rule(100, hourMs / 4), rule(1000, 24 * hourMs)], oneDay)).toBe(1000);
    expect(callsMax([rule(10, hourMs), rule(1000, 24 * hourMs)], oneDay)).toBe(240);
  });

  it("are one day's worth for each of its days, and the full quota of longer limits", () => {
    expect(callsMax([rule(10, hourMs)], { startDate: '2026-03-01', endDate: '2026-03-30' })).toBe(30 * 240);
    expect(callsMax([rule(500, 7 * 24 * hourMs)], oneDay)).toBe(500);
  });

  it('are unlimited without a quota', () => {
    expect(callsMax([], oneDay)).toBe(Number.POSITIVE_INFINITY);
  });
});
