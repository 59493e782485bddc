import { within } from '../../kit/records/sleep/stages.ts';
import { partition, type Span } from '../../kit/time/partition.ts';
import { isItem, spanOf, textOf } from '../read-item.ts';
import type { PhoneItem } from '../types.ts';

/** Android lists the pauses of a workout among its segments. */
export const isPause = (segment: unknown): boolean => isItem(segment) && /(?:^|_)pause$/i.test(textOf(segment['type']) ?? '');

function pausesOf(item: PhoneItem): Span[] {
  const segments: readonly unknown[] = Array.isArray(item['segments']) ? item['segments'] : [];
  return segments.filter(isPause).flatMap((segment) => spanOf(segment as PhoneItem) ?? []);
}

/**
 * The seconds of a workout without the pauses that it lists, which may overlap and count once. `duration` is what the phone states as its
 * length: with pauses at Health Connect, without them at HealthKit, which lists none.
 */
export function movingSeconds(item: PhoneItem, duration: number | null): number | null {
  const span = spanOf(item);
  const pauses = pausesOf(item);
  if (!span || pauses.length === 0) return duration;
  const pieces = partition(within(pauses, span), (a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
  const paused = pieces.reduce((sum, { startMs, endMs }) => sum + (endMs - startMs), 0);
  const moving = Math.round((span.endMs - span.startMs - paused) / 1000);
  return duration === null ? moving : Math.min(duration, moving);
}
