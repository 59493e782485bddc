import { describe, expect, it } from 'vitest';
import { createManualClock } from '@pulsewire/kernel';
import { createLimiter } from './limiter.ts';

describe('a limiter', () => {
  it('lets each link do so much in its time, says how long to wait, and begins again after it', () => {
    const clock = createManualClock(new Date(0));
    const limiter = createLimiter({ clock, max: 2, perMs: 60_000 });
    expect([limiter.take('a'), limiter.take('a')]).toEqual([null, null]);
    clock.advance(20_500);
    expect([limiter.take('a'), limiter.take('b')]).toEqual([40, null]);
    clock.advance(39_500);
    expect(limiter.take('a')).toBeNull();
  });

  it('remembers a bounded number of links, the newest', () => {
    const limiter = createLimiter({ clock: createManualClock(new Date(0)), max: 1, perMs: 60_000, tokensMax: 2 });
    for (const token of ['a', 'b', 'c']) limiter.take(token);
    expect([limiter.take('c'), limiter.take('b'), limiter.take('a')]).toEqual([60, 60, null]);
  });
});
