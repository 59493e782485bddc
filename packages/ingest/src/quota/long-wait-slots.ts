/** How many calls of one process may wait longer for quota at the same time: its other places are for work that can go on. */
export interface LongWaitSlots {
  /** Takes a place for a long wait; false: there is none. */
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
