/**
 * Bounds how many calls of one process may wait longer for quota concurrently: the other slots are for work that can continue. Nothing waits
 * for a place, so this is a counter and no semaphore.
 */
export interface LongWaitSlots {
  /** Takes a slot for a long wait; false: none is free. */
  take(): boolean;
  free(): void;
}

export function createLongWaitSlots(places: number): LongWaitSlots {
  let left = places;
  return {
    take() {
      if (left === 0) return false;
      left -= 1;
      return true;
    },
    free: () => void (left += 1),
  };
}
