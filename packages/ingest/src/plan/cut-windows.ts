import { addDays } from '@pulsewire/kernel';
import type { PullWindow } from '@pulsewire/providers';

/** The first and last day that may be read for a user; null: unbounded. */
export interface IngestionBounds {
  readonly ingestionStart: string | null;
  readonly ingestionEnd: string | null;
}

/**
 * The part of a range that lies within the user's bounds, in pieces of at most `chunkDays`: newest first and cut from the newest day on, so
 * that today's piece is whole. Empty when no day is allowed.
 */
export function cutWindows(range: PullWindow, chunkDays: number, { ingestionStart, ingestionEnd }: IngestionBounds): readonly PullWindow[] {
  const startDate = ingestionStart !== null && ingestionStart > range.startDate ? ingestionStart : range.startDate;
  const endDate = ingestionEnd !== null && ingestionEnd < range.endDate ? ingestionEnd : range.endDate;
  const pieces: PullWindow[] = [];
  for (let last = endDate; last >= startDate; last = addDays(last, -chunkDays)) {
    const first = addDays(last, 1 - chunkDays);
    pieces.push({ startDate: first < startDate ? startDate : first, endDate: last });
  }
  return pieces;
}
