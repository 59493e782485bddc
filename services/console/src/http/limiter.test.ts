import { describe, expect, it } from 'vitest';
import { createManualClock } from '@pulsewire/kernel';
import { createLimiter } from './limiter.ts';

describe('a limiter', () => {
  it('allows each link its limit per window, and returns how long to wait', () => {
    const clock = createManualClock(new Date(0));
    const limiter = createLimiter({ clock, max: 2, perMs: 60_000 });
    expect([limiter.take('a'), limiter.take('a')]).toEqual([null, null]);
    clock.advance(20_500);
    expect([limiter.take('a'), limiter.take('b')]).toEqual([40, null]);
    clock.advance(39_500);
    expect(limiter.take('a')).toBeNull();
  });

  it('keeps only the newest links', () => {
    const limiter = createLimiter({ clock: createManualClock(new Date(0)), max: 1, perMs: 60_000, tokensMax: 2 });
    for (const token of ['a', 'b', 'c']) limiter.take(token);
    expect([limiter.take('c'), limiter.take('b'), limiter.take('a')]).toEqual([60, 60, null]);
  });
});
