import { expect, it } from 'vitest';
import { Takeover } from './takeover.ts';

function unsure(takeover: Takeover, count: number): number {
  return Array.from({ length: count }, () => takeover.mayBeRecorded(1)).filter(Boolean).length;
}

it('looks up every event after a takeover until the first results are known', () => {
  const takeover = new Takeover();
  takeover.began(1, 2);
  expect(unsure(takeover, 1000)).toBe(1000);
});

it('ends lookups after 200 unrecorded events in a row, and restarts the count at a recorded one', () => {
  const takeover = new Takeover();
  takeover.began(1, 2);
  for (let i = 0; i < 199; i++) takeover.lookedUp(1, 2, false);
  expect(takeover.mayBeRecorded(1)).toBe(true);
  takeover.lookedUp(1, 2, true);
  for (let i = 0; i < 199; i++) takeover.lookedUp(1, 2, false);
  expect(takeover.mayBeRecorded(1)).toBe(true);
  takeover.lookedUp(1, 2, false);
  expect(takeover.mayBeRecorded(1)).toBe(false);
});

it('needs no lookups for a shard without an earlier owner, and ignores results of an earlier epoch', () => {
  const takeover = new Takeover();
  takeover.began(1, 1);
  expect(takeover.mayBeRecorded(1)).toBe(false);
  takeover.began(1, 2);
  for (let i = 0; i < 200; i++) takeover.lookedUp(1, 1, false);
  expect(takeover.mayBeRecorded(1)).toBe(true);
});
