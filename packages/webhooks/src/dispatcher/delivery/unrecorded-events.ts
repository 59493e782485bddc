import type { LogEvent } from '@pulsewire/eventlog';
import type { PositionTracker } from './position-tracker.ts';
import type { Delivery } from './delivery.ts';
import { holdsPosition } from './delivery-state.ts';

export interface UnrecordedLimits {
  readonly unrecordedMax: number;
  readonly unrecordedBytesMax: number;
}

/** Rough size of an event in memory: its body, which dominates. */
export function bodyBytes({ body }: LogEvent): number {
  // Packed samples expand to about ten times their size.
  return body.kind === 'json' ? body.json.length : body.packed.length * 10;
}

// Reading pauses below this share of free places, because reading a few events at a time is inefficient.
const readShare = 1 / 8;

/** How many more events fit, by count and by bytes; 0 while little space is left. */
export function unrecordedCapacity(tracker: PositionTracker, { unrecordedMax, unrecordedBytesMax }: UnrecordedLimits): number {
  const meanBytes = tracker.count === 0 ? 1024 : Math.max(1, tracker.bytes / tracker.count);
  const capacity = Math.min(unrecordedMax - tracker.count, Math.floor((unrecordedBytesMax - tracker.bytes) / meanBytes));
  return capacity < Math.min(unrecordedMax, unrecordedBytesMax / meanBytes) * readShare ? 0 : capacity;
}

/** After how long a delivery is parked: sooner the less capacity is left, because slow deliveries then block fast ones. */
export function parkAge(tracker: PositionTracker, limits: UnrecordedLimits, parkAfterMs: number): number {
  const fill = Math.max(tracker.count / limits.unrecordedMax, tracker.bytes / limits.unrecordedBytesMax);
  return fill <= 0.5 ? parkAfterMs : parkAfterMs * Math.max(0.25, 2 * (1 - fill));
}

/** Deliveries that the position has waited for longer than `ageMs`. */
export function* overdue(tracker: PositionTracker, nowMs: number, ageMs: number): IterableIterator<Delivery> {
  for (const shard of tracker.shards) {
    for (const entry of tracker.entriesOf(shard)) {
      if (nowMs - entry.acceptedAtMs < ageMs) break;
      for (const delivery of entry.deliveries) if (holdsPosition(delivery)) yield delivery;
    }
  }
}
