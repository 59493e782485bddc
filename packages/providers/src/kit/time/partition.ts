/** A stretch of time in ms since the epoch; the end is exclusive. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** A part of a segment that no other segment took. */
export interface Piece<S extends Span> extends Span {
  readonly segment: S;
}

/**
 * Divides the time that segments cover among them: of those that cover a moment, the first in the order of `compare` has it. A segment that
 * lies in another one interrupts it or yields to it as a whole, and the outer one goes on after it. The pieces are in chronological order, do
 * not overlap, and together cover exactly the union of the segments. O(n log n). Independent of the order of the input if `compare` never
 * returns 0 for segments that differ.
 */
export function partition<S extends Span>(segments: readonly S[], compare: (a: S, b: S) => number): Piece<S>[] {
  const ordered = segments.filter(({ startMs, endMs }) => endMs > startMs).toSorted(compare);
  const times = [...new Set(ordered.flatMap(({ startMs, endMs }) => [startMs, endMs]))].sort((a, b) => a - b);
  const slotAt = new Map(times.map((ms, slot) => [ms, slot]));
  // Each slot lies between two neighbouring times. `free[slot]` leads to the first slot from there on that nobody has yet.
  const owners = new Array<S | undefined>(times.length);
  const free = Int32Array.from({ length: times.length + 1 }, (_unused, slot) => slot);
  const nextFree = (from: number): number => {
    let slot = from;
    while (free[slot] !== slot) {
      // Halves the path for the searches that follow.
      free[slot] = free[free[slot] as number] as number;
      slot = free[slot] as number;
    }
    return slot;
  };
  for (const segment of ordered) {
    const end = slotAt.get(segment.endMs) as number;
    for (let slot = nextFree(slotAt.get(segment.startMs) as number); slot < end; slot = nextFree(slot)) {
      owners[slot] = segment;
      free[slot] = slot + 1;
    }
  }
  const pieces: Piece<S>[] = [];
  for (const [slot, segment] of owners.entries()) {
    if (segment === undefined) continue;
    const [startMs, endMs] = [times[slot] as number, times[slot + 1] as number];
    const last = pieces.at(-1);
    if (last?.segment === segment && last.endMs === startMs) pieces[pieces.length - 1] = { ...last, endMs };
    else pieces.push({ segment, startMs, endMs });
  }
  return pieces;
}

/** How long spans last together, each moment counted once. */
export function coveredMs(spans: readonly Span[]): number {
  const pieces = partition(spans, (a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
  return pieces.reduce((sum, { startMs, endMs }) => sum + (endMs - startMs), 0);
}

/** The parts of segments that lie within these limits. */
export function within<S extends Span>(segments: readonly S[], { startMs, endMs }: Span): S[] {
  return segments.flatMap((segment) => {
    const part = { ...segment, startMs: Math.max(segment.startMs, startMs), endMs: Math.min(segment.endMs, endMs) };
    return part.endMs > part.startMs ? [part] : [];
  });
}
