import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { PositionTracker } from './position-tracker.ts';
import type { WindowEntry } from './delivery.ts';

function entry(offset: number, open = 1, shard = 1): WindowEntry {
  return { shard, epoch: 9, offset, day: '2026-01-04', bytes: 10, acceptedAtMs: 0, open, deliveries: [], isDropped: false };
}

describe('PositionTracker', () => {
  it('moves a position only over what is done without a gap', () => {
    const tracker = new PositionTracker();
    const entries = [entry(5), entry(6), entry(7, 2)];
    for (const one of entries) tracker.add(one);
    tracker.release(entries[1] as WindowEntry);
    expect(tracker.takePositions()).toEqual([]);
    tracker.release(entries[0] as WindowEntry);
    expect(tracker.takePositions()).toEqual([{ shard: 1, offset: 7, day: '2026-01-04', epoch: 9 }]);
    tracker.release(entries[2] as WindowEntry);
    expect(tracker.takePositions()).toEqual([]);
    tracker.release(entries[2] as WindowEntry);
    expect(tracker.takePositions()).toMatchObject([{ offset: 8 }]);
    expect([tracker.count, tracker.bytes]).toEqual([0, 0]);
  });

  it('lets events that nobody takes pass', () => {
    const tracker = new PositionTracker();
    tracker.add(entry(0, 0));
    tracker.add(entry(1, 0));
    expect(tracker.hasMoved).toBe(true);
    expect(tracker.takePositions()).toMatchObject([{ offset: 2 }]);
  });

  it('forgets a dropped shard, whatever is released later', () => {
    const tracker = new PositionTracker();
    const lost = entry(0);
    tracker.add(lost);
    tracker.add(entry(0, 1, 2));
    expect(tracker.drop(1)).toEqual([lost]);
    tracker.release(lost);
    expect(tracker.takePositions()).toEqual([]);
    expect(tracker.count).toBe(1);
  });

  it('ends at the same positions in whatever order deliveries are done', () => {
    const order = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 });
    fc.assert(
      fc.property(order, fc.integer({ min: 1, max: 8 }), (ids, takeEvery) => {
        const tracker = new PositionTracker();
        const entries = ids.map((_, offset) => entry(offset));
        for (const one of entries) tracker.add(one);
        const done = new Set<number>();
        let position = 0;
        for (const [step, id] of ids.entries()) {
          tracker.release(entries[id] as WindowEntry);
          done.add(id);
          if ((step + 1) % takeEvery !== 0) continue;
          position = tracker.takePositions()[0]?.offset ?? position;
          const firstGap = ids.findIndex((_, offset) => !done.has(offset));
          expect(position).toBe(firstGap === -1 ? 8 : firstGap);
        }
      }),
    );
  });
});
