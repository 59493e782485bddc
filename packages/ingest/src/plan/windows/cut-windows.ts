import { addDays } from '@pulsewire/database';
import type { PullWindow } from '@pulsewire/providers';

/** The first and last day that may be read for a user; null: unbounded. */
export interface IngestionBounds {
  readonly ingestionStart: string | null;
  readonly ingestionEnd: string | null;
}

/** The part of a range that lies within the user's bounds, or null when none does. */
export function boundWindow(window: PullWindow, { ingestionStart, ingestionEnd }: IngestionBounds): PullWindow | null {
  const startDate = ingestionStart !== null && ingestionStart > window.startDate ? ingestionStart : window.startDate;
  const endDate = ingestionEnd !== null && ingestionEnd < window.endDate ? ingestionEnd : window.endDate;
  return startDate <= endDate ? { startDate, endDate } : null;
}

/** A range in pieces of at most `chunkDays`, newest first and cut from the newest day on, so that today's piece is whole. */
export function cutWindows({ startDate, endDate }: PullWindow, chunkDays: number): readonly PullWindow[] {
  const pieces: PullWindow[] = [];
  for (let last = endDate; last >= startDate; last = addDays(last, -chunkDays)) {
    const first = addDays(last, 1 - chunkDays);
    pieces.push({ startDate: first < startDate ? startDate : first, endDate: last });
  }
  return pieces;
}
