import { expect, it } from 'vitest';
import { Takeover } from './takeover.ts';

function unsure(takeover: Takeover, count: number): number {
  return Array.from({ length: count }, () => takeover.mayBeRecorded(1)).filter(Boolean).length;
}

it('after a takeover every event is asked about that comes before the answers, however many come at once', () => {
  const takeover = new Takeover();
  takeover.began(1, 2);
  expect(unsure(takeover, 1000)).toBe(1000);
});

it('the asking ends when the answers to 200 in a row were that they are not recorded, and begins anew with one that is', () => {
  const takeover = new Takeover();
  takeover.began(1, 2);
  for (let i = 0; i < 199; i++) takeover.answered(1, 2, false);
  expect(takeover.mayBeRecorded(1)).toBe(true);
  takeover.answered(1, 2, true);
  for (let i = 0; i < 199; i++) takeover.answered(1, 2, false);
  expect(takeover.mayBeRecorded(1)).toBe(true);
  takeover.answered(1, 2, false);
  expect(takeover.mayBeRecorded(1)).toBe(false);
});

it('nobody asks about a shard that had no owner before, nor counts answers of an earlier epoch', () => {
  const takeover = new Takeover();
  takeover.began(1, 1);
  expect(takeover.mayBeRecorded(1)).toBe(false);
  takeover.began(1, 2);
  for (let i = 0; i < 200; i++) takeover.answered(1, 1, false);
  expect(takeover.mayBeRecorded(1)).toBe(true);
});
