import { minuteMs } from '@pulsewire/kernel';
import { describe, expect, test } from 'vitest';
import type { QuotaRule } from '@pulsewire/providers';
import { emptyBudget, type BudgetState } from './budget-state.ts';
import { correct, grantCalls, returnCalls, capacityFor } from './grant-calls.ts';

const startMs = Date.parse('2026-03-20T12:00:00Z');
const perMinute: QuotaRule = { scope: 'app', requests: 100, perMs: minuteMs, window: 'sliding' };
const perQuarter: QuotaRule = { scope: 'app', requests: 100, perMs: 15 * minuteMs, window: 'aligned' };
const perDay: QuotaRule = { scope: 'app', requests: 1000, perMs: 1440 * minuteMs, window: 'aligned' };
const perHour: QuotaRule = { scope: 'user', requests: 150, perMs: 60 * minuteMs, window: 'aligned' };
const live = { lane: 'live', isLiveWaiting: false, liveShare: 0.2, isPaced: true } as const;
const backfill = { ...live, lane: 'backfill' } as const;

/** Takes whatever is granted, every `stepMs`; returns the times of the requests as they reach a provider that is up to `lateMs` away. */
function takeAll(rules: readonly QuotaRule[], durationMs: number, stepMs: number, lateMs: number): number[] {
  const arrivals: number[] = [];
  let state: BudgetState = emptyBudget;
  let seed = 7;
  for (let atMs = startMs; atMs < startMs + durationMs; atMs += stepMs) {
    const grant = grantCalls(state, rules, atMs, { ...live, wanted: 1000 });
    state = grant.state;
    for (let call = 0; call < grant.granted; call++) {
      seed = (seed * 48_271) % 2_147_483_647;
      arrivals.push(atMs + (seed / 2_147_483_647) * lateMs);
    }
  }
  return arrivals.toSorted((a, b) => a - b);
}

function mostInAnyWindow(arrivals: readonly number[], perMs: number): number {
  let first = 0;
  let most = 0;
  for (const [index, at] of arrivals.entries()) {
    while ((arrivals[first] ?? 0) <= at - perMs) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

function perAlignedWindow(arrivals: readonly number[], perMs: number, offsetMs = 0): readonly number[] {
  const counts = new Map<number, number>();
  for (const at of arrivals) {
    const index = Math.floor((at + offsetMs) / perMs);
    counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  return [...counts.values()];
}

describe('a sliding limit', () => {
  test('is never exceeded in any window, however late calls arrive within the slack, and is used up', () => {
    const arrivals = takeAll([perMinute], 30 * minuteMs, 200, 1200);
    expect(mostInAnyWindow(arrivals, minuteMs)).toBeLessThanOrEqual(100);
    expect(arrivals.length / (30 * 100)).toBeGreaterThan(0.95);
  });
});

describe('an aligned limit', () => {
  test('is never exceeded at its border, neither by late calls nor by clocks that differ, and is used up', () => {
    const arrivals = takeAll([perQuarter], 3 * 60 * minuteMs, 250, 500);
    for (const offsetMs of [-1500, 0, 1500]) {
      expect(Math.max(...perAlignedWindow(arrivals, 15 * minuteMs, offsetMs))).toBeLessThanOrEqual(100);
    }
    expect(arrivals.length / (12 * 100)).toBeGreaterThan(0.95);
  });

  test('needs free quota on both sides of its border for as long as clocks may differ', () => {
    const full = {
      rules: {
        [perQuarter.perMs]: {
          slots: [[startMs / 9000 + 60, 100, 0] as const],
          sinceMs: startMs,
          limit: null,
          foreign: null,
          resetMs: null,
        },
      },
    };
    const state = { ...emptyBudget, ...full };
    const border = startMs + 15 * minuteMs;
    expect(capacityFor(state, [perQuarter], border + 500, { ...live, isPaced: false })).toBe(0);
    expect(capacityFor(state, [perQuarter], border + 2000, { ...live, isPaced: false })).toBe(100);
  });

  test('grants half at once and spreads the rest, or spreads all after a window that was used up', () => {
    const both = takeAll([perQuarter], 30 * minuteMs, 1000, 0);
    const second = both.filter((at) => at >= startMs + 15 * minuteMs);
    expect(second.filter((at) => at < startMs + 20 * minuteMs).length).toBeLessThanOrEqual(40);
    expect(second).toHaveLength(100);
    const arrivals = both.filter((at) => at < startMs + 15 * minuteMs);
    expect(arrivals.filter((at) => at < startMs + minuteMs).length).toBeLessThanOrEqual(60);
    expect(arrivals).toHaveLength(100);
  });
});

test('several limits hold at once', () => {
  const arrivals = takeAll([perQuarter, perDay], 24 * 60 * minuteMs, 5000, 500);
  expect(Math.max(...perAlignedWindow(arrivals, 15 * minuteMs))).toBeLessThanOrEqual(100);
  expect(Math.max(...perAlignedWindow(arrivals, perDay.perMs))).toBeLessThanOrEqual(1000);
});

describe('backfills', () => {
  test('leave live pulls their share, and later what those used and a little more', () => {
    let state: BudgetState = emptyBudget;
    const take = (atMs: number, question: typeof live | typeof backfill, wanted: number) => {
      for (let left = wanted; left > 0;) {
        const grant = grantCalls(state, [perMinute], atMs, { ...question, wanted: left });
        state = grant.state;
        if (grant.granted === 0) return wanted - left;
        left -= grant.granted;
      }
      return wanted;
    };
    expect(take(startMs, backfill, 1000)).toBe(80);
    expect(take(startMs, live, 10)).toBe(10);
    const later = startMs + 3 * minuteMs;
    expect(take(later, backfill, 1000)).toBe(99);
    expect(take(later, live, 10)).toBe(1);
  });

  test('backfills get no quota while live pulls wait', () => {
    expect(capacityFor(emptyBudget, [perMinute], startMs, { ...backfill, isLiveWaiting: true })).toBe(0);
    expect(capacityFor(emptyBudget, [perMinute], startMs, { ...live, isLiveWaiting: true })).toBe(100);
  });
});

describe("the provider's own count", () => {
  const reported = { perMs: minuteMs, limit: 100, remaining: 5, resetAfterMs: 30_000, isNamed: true, open: 0 };

  test('replaces our count until its reset', () => {
    const state = correct(emptyBudget, [perMinute], startMs, [reported]);
    expect(capacityFor(state, [perMinute], startMs, live)).toBe(5);
    expect(capacityFor(state, [perMinute], startMs + 30_000, live)).toBe(100);
  });

  test('includes calls in flight, and counts our own calls only once', () => {
    const { state } = grantCalls(emptyBudget, [perMinute], startMs, { ...live, wanted: 20 });
    expect(capacityFor(correct(state, [perMinute], startMs, [{ ...reported, remaining: 82, open: 2 }]), [perMinute], startMs, live)).toBe(
      80,
    );
    expect(capacityFor(correct(state, [perMinute], startMs, [{ ...reported, remaining: 70, open: 2 }]), [perMinute], startMs, live)).toBe(
      68,
    );
  });

  test('clears the whole count at the reset that it names, and nothing before', () => {
    const { state: used } = grantCalls(emptyBudget, [perHour], startMs, { ...live, wanted: 150 });
    const rest = grantCalls(used, [perHour], startMs, { ...live, wanted: 150 }).state;
    const filled = [...Array(20).keys()].reduce((state) => grantCalls(state, [perHour], startMs, { ...live, wanted: 150 }).state, rest);
    expect(capacityFor(filled, [perHour], startMs, live)).toBe(0);
    const spent = { perMs: perHour.perMs, limit: 150, remaining: 0, resetAfterMs: 120_000, isNamed: true, open: 0 };
    const state = correct(filled, [perHour], startMs, [spent]);
    expect(grantCalls(state, [perHour], startMs, { ...live, wanted: 1 }).freeInMs).toBe(122_000);
    expect(capacityFor(state, [perHour], startMs + 121_999, live)).toBe(0);
    expect(capacityFor(state, [perHour], startMs + 122_000, live)).toBe(150);
    const fuller = { perMs: perHour.perMs, limit: 150, remaining: 148, resetAfterMs: 240_000, isNamed: true, open: 0 };
    const after = correct(state, [perHour], startMs + 180_000, [fuller]);
    expect(capacityFor(after, [perHour], startMs + 180_000, live)).toBe(148);
    // A calculated reset may come too early.
    const reckoned = correct(filled, [perHour], startMs, [{ ...spent, isNamed: false }]);
    expect(capacityFor(reckoned, [perHour], startMs + 122_000, live)).toBe(0);
    const later = correct(reckoned, [perHour], startMs + 180_000, [{ ...spent, remaining: 148, isNamed: false }]);
    expect(capacityFor(later, [perHour], startMs + 180_000, live)).toBe(0);
  });

  test('raises and lowers a limit', () => {
    for (const limit of [40, 900]) {
      const state = correct(emptyBudget, [perMinute], startMs, [{ ...reported, limit, remaining: limit }]);
      expect(capacityFor(state, [perMinute], startMs, live)).toBe(limit);
    }
  });
});

test('returned grants can be given again, and are never counted twice', () => {
  const { state } = grantCalls(emptyBudget, [perMinute], startMs, { ...live, wanted: 20 });
  const unused = { atMs: startMs, lane: 'live', calls: 15 } as const;
  expect(capacityFor(returnCalls(state, [perMinute], unused), [perMinute], startMs, live)).toBe(95);
  expect(capacityFor(returnCalls(state, [perMinute], { ...unused, calls: 50 }), [perMinute], startMs, live)).toBe(100);
});

test('a refusal never names a time later than the next free call', () => {
  for (const rule of [perMinute, perQuarter]) {
    let { state, granted } = grantCalls(emptyBudget, [rule], startMs, { ...live, isPaced: false, wanted: 1000 });
    while (granted > 0) ({ state, granted } = grantCalls(state, [rule], startMs, { ...live, isPaced: false, wanted: 1000 }));
    const { freeInMs } = grantCalls(state, [rule], startMs, { ...live, isPaced: false, wanted: 1 });
    expect(capacityFor(state, [rule], startMs + freeInMs - 1, { ...live, isPaced: false })).toBe(0);
    expect(capacityFor(state, [rule], startMs + freeInMs, { ...live, isPaced: false })).toBeGreaterThan(0);
  }
});
