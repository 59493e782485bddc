import { describe, expect, it } from 'vitest';
import { loadSignal, ConcurrencyLimiter } from './concurrency-limiter.ts';

const middle = () => 0.5;

describe('ConcurrencyLimiter', () => {
  it('raises the limit by one for each full round of quick successes, up to its maximum', () => {
    const limiter = new ConcurrencyLimiter(64, middle);
    expect(limiter.limit(0)).toBe(4);
    for (let i = 0; i < 5; i++) limiter.succeeded(4, 5);
    expect(limiter.limit(0)).toBe(5);
    for (let i = 0; i < 3000; i++) limiter.succeeded(64, 5);
    expect(limiter.limit(0)).toBe(64);
  });

  it('does not raise the limit when it was not reached or responses became slow', () => {
    const limiter = new ConcurrencyLimiter(64, middle);
    for (let i = 0; i < 100; i++) limiter.succeeded(1, 5);
    for (let i = 0; i < 100; i++) limiter.succeeded(4, 300);
    expect(limiter.limit(0)).toBe(4);
  });

  it('does not raise the limit for quick responses while this process is busy, but does for slow ones', () => {
    const [quick, slow] = [new ConcurrencyLimiter(64, middle), new ConcurrencyLimiter(64, middle)];
    for (let i = 0; i < 100; i++) quick.succeeded(4, 20, true);
    for (let i = 0; i < 5; i++) slow.succeeded(4, 150, true);
    expect([quick.limit(0), slow.limit(0)]).toEqual([4, 5]);
  });

  it('shrinks when responses become very slow, but not below its initial limit', () => {
    const limiter = new ConcurrencyLimiter(64, middle);
    for (let i = 0; i < 3000; i++) limiter.succeeded(64, 5);
    for (let i = 0; i < 100; i++) limiter.succeeded(64, 900);
    expect(limiter.limit(0)).toBeLessThan(64);
    for (let i = 0; i < 3000; i++) limiter.succeeded(64, 900);
    expect(limiter.limit(0)).toBe(4);
  });

  it('is halved once per round of concurrent failures, and never below one', () => {
    const limiter = new ConcurrencyLimiter(256, middle);
    for (let i = 0; i < 16; i++) limiter.overloaded(0, 10 + i);
    expect(limiter.limit(100)).toBe(8);
    for (let round = 1; round < 10; round++) limiter.overloaded(round * 100, round * 100);
    expect(limiter.limit(5000)).toBe(1);
  });

  it('rests as long as requested, up to five minutes', () => {
    const limiter = new ConcurrencyLimiter(32, middle);
    limiter.rest(0, 1000, 30_000);
    expect([limiter.limit(30_999), limiter.limit(31_000)]).toEqual([0, 2]);
    limiter.rest(40_000, 40_000, 86_400_000);
    expect([limiter.limit(339_999), limiter.limit(340_000)]).toEqual([0, 2]);
  });

  it('doubles its rest after each overload response until a success', () => {
    const limiter = new ConcurrencyLimiter(8, middle);
    const restOf = (nowMs: number) => {
      limiter.rest(nowMs, nowMs, undefined);
      return limiter.restUntilMs - nowMs;
    };
    expect([restOf(1000), restOf(2000), restOf(5000)]).toEqual([250, 500, 1000]);
    limiter.succeeded(1, 5);
    expect(restOf(10_000)).toBe(250);
  });

  it('recognises which responses signal overload', () => {
    expect([429, 502, 503, 504].map((status) => loadSignal(status, null))).toEqual(['resting', 'resting', 'resting', 'resting']);
    expect([400, 404, 500].map((status) => loadSignal(status, null))).toEqual(['fine', 'fine', 'overloaded']);
    expect(['timeout', 'address_blocked'].map((error) => loadSignal(null, error))).toEqual(['overloaded', 'nothing']);
  });
});
