import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { PositionTracker } from './position-tracker.ts';
import { endpoint, logEvent } from '../../testing/samples.ts';
import type { UnrecordedEvent } from './delivery.ts';
import { newDelivery } from './new-delivery.ts';

/** An entry added to the tracker with so many deliveries. */
function add(tracker: PositionTracker, offset: number, count = 1, shard = 1): UnrecordedEvent {
  const place = { shard, epoch: 9, offset, day: '2026-01-04', bytes: 10, acceptedAtMs: 0 };
  const entry: UnrecordedEvent = { ...place, open: 0, deliveries: [], isDropped: false };
  const message = { eventId: '', eventType: '', messageId: '', body: Buffer.alloc(0) };
  const make = () => newDelivery({ endpoint: endpoint(), event: logEvent(), message, entry, attempts: 0 });
  tracker.add(entry, Array.from({ length: count }, make));
  return entry;
}

describe('PositionTracker', () => {
  it('advances a position only over finished events without a gap', () => {
    const tracker = new PositionTracker();
    const entries = [add(tracker, 5), add(tracker, 6), add(tracker, 7, 2)];
    tracker.release(entries[1] as UnrecordedEvent);
    expect(tracker.takePositions()).toEqual([]);
    tracker.release(entries[0] as UnrecordedEvent);
    expect(tracker.takePositions()).toEqual([{ shard: 1, offset: 7, day: '2026-01-04', epoch: 9 }]);
    tracker.release(entries[2] as UnrecordedEvent);
    expect(tracker.takePositions()).toEqual([]);
    tracker.release(entries[2] as UnrecordedEvent);
    expect(tracker.takePositions()).toMatchObject([{ offset: 8 }]);
    expect([tracker.count, tracker.bytes]).toEqual([0, 0]);
  });

  it('advances over events without deliveries', () => {
    const tracker = new PositionTracker();
    add(tracker, 0, 0);
    add(tracker, 1, 0);
    expect(tracker.hasMoved).toBe(true);
    expect(tracker.takePositions()).toMatchObject([{ offset: 2 }]);
  });

  it('ignores releases of a dropped shard', () => {
    const tracker = new PositionTracker();
    const lost = add(tracker, 0);
    add(tracker, 0, 1, 2);
    expect(tracker.drop(1)).toEqual([lost]);
    tracker.release(lost);
    expect(tracker.takePositions()).toEqual([]);
    expect(tracker.count).toBe(1);
  });

  it('reaches the same positions in any order of completion', () => {
    const order = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 });
    fc.assert(
      fc.property(order, fc.integer({ min: 1, max: 8 }), (ids, takeEvery) => {
        const tracker = new PositionTracker();
        const entries = ids.map((_, offset) => add(tracker, offset));
        const done = new Set<number>();
        let position = 0;
        for (const [step, id] of ids.entries()) {
          tracker.release(entries[id] as UnrecordedEvent);
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
